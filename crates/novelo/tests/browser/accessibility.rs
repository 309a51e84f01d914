//! axe-core on every view, where npm can fetch it; it is not part of the project.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::chrome::{self, Tab};

const VIEWS: [&str; 24] = [
    "#/play",
    "#/play/nonsense:1",
    "#/play/sliding:3x3:1,6,2,5,0,3,4,7,8",
    "#/play/numbrix:4x4:1_2_3_4_12a14_5a16a6_10_9b",
    "#/play/mazes:5x5:3x1/1x1x1/1x1x1/1x1x1/1x3",
    "#/play/boxes:2x2:2:a04",
    "#/play/pancake:5:3,1,4,2,5",
    "#/watch/sliding:3x3:1,6,2,5,0,3,4,7,8?run=astar@manhattan",
    "#/watch/sliding:3x3:1,6,2,5,0,3,4,7,8?run=astar@manhattan&show=tree",
    "#/watch/sliding:3x3:1,6,2,5,0,3,4,7,8?run=dls:limit=3",
    "#/watch/sliding:3x3:1,6,2,5,0,3,4,7,8?run=astar@manhattan&show=predict",
    "#/watch/sliding:3x3:1,6,2,5,0,3,4,7,8?run=astar@manhattan&with=bfs&show=beside",
    "#/edit/numbrix:4x4:1_2_3_4_12a14_5a16a6_10_9b",
    "#/edit/mazes:5x5:3x1/1x1x1/1x1x1/1x1x1/1x3",
    "#/edit/boxes:2x2:2:a04",
    "#/edit/sliding:3x3:1,6,2,5,0,3,4,7,8",
    "#/edit/pancake:5:3,1,4,2,5",
    "#/watch/sliding:2x2:2,1,3,0?run=astar",
    "#/race",
    "#/race/sliding:3x3:1,6,2,5,0,3,4,7,8?runs=bfs;nothing",
    "#/compare",
    "#/learn",
    "#/learn/sliding/manhattan",
    "#/learn/boxes/corners",
];

/// What is done in a view before it is looked at again, and what is there then.
const DEEDS: [(&str, &str, &str); 10] = [
    ("#/play", "Play it", "document.querySelector('.paste .problem:not([hidden])')"),
    ("#/play/boxes:2x2:2:a04", "Solve", "document.querySelector('.ending.shown')"),
    ("#/play/numbrix:4x4:1_2_3_4_12a14_5a16a6_10_9b", "Hint", "document.querySelector('.message.hinted')"),
    ("#/play/boxes:2x2:2:a04", "Pause", "!document.querySelector('.curtain').hidden"),
    ("#/race", "Change", "document.querySelector('.changing textarea')"),
    ("#/learn/sliding/hamming", "Audit it", "document.querySelector('.charts img')"),
    ("#/play", "Size, number …", "document.querySelector('dialog[open]')"),
    ("#/learn/astar", "Predict its next steps", "document.querySelector('.predict .node')"),
    ("#/race", "Start", "document.querySelector('.charts img')"),
    ("#/compare", "Compare", "document.querySelector('.charts img')"),
];

/// The script, fetched once into the temporary folder.
fn axe() -> Option<String> {
    let folder: PathBuf = std::env::temp_dir().join("novelo-axe");
    let file = folder.join("node_modules/axe-core/axe.min.js");
    if !file.is_file() {
        std::fs::create_dir_all(&folder).ok()?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"])
            .arg(&folder)
            .arg("axe-core@4");
        npm.output().ok()?;
    }
    std::fs::read_to_string(file).ok()
}

/// The findings in what the tab shows.
fn look(tab: &mut Tab, script: &str) -> impl Iterator<Item = String> {
    tab.eval(script);
    let found = tab.eval(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html.slice(0, 120) + ' ' + node.failureSummary).join(' | ')))",
    );
    let Value::Array(found) = found else { panic!("{found}") };
    found.into_iter().map(|one| one.to_string())
}

#[test]
#[ignore = "needs Chromium"]
fn no_view_has_a_finding() {
    let Some(script) = axe() else {
        eprintln!("left out: npm could not fetch axe-core");
        return;
    };
    let mut tab = chrome::open();
    let mut findings = Vec::new();
    for (scheme, phone) in [("light", false), ("dark", false), ("light", true), ("dark", true)] {
        if phone {
            tab.be_a_phone();
        }
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]);
        tab.call("Emulation.setEmulatedMedia", json!({"features": features}));
        for view in VIEWS {
            tab.show(view);
            if view.contains("run=") {
                tab.wait("document.querySelector('.show, .tree, .besides, .outcome')");
            }
            findings.extend(look(&mut tab, &script).map(|one| format!("{scheme} {phone} {view} {one}")));
        }
        for (view, button, seen) in DEEDS {
            // A game that was ended in the other colours is not gone on with.
            tab.eval("localStorage.clear()");
            tab.show(view);
            tab.click_button(button);
            tab.wait(seen);
            findings
                .extend(look(&mut tab, &script).map(|one| format!("{scheme} {phone} {view} {button} {one}")));
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
