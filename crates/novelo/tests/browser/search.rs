//! Watch, Race, Compare and Learn.

use crate::chrome::{self, Tab};
use crate::harness::HARD;

const EIGHT: &str = "sliding:3x3:1,6,2,5,0,3,4,7,8";

#[test]
#[ignore = "needs Chromium"]
fn watch_plays_the_solution_and_steps_through_the_tree() {
    let mut tab = chrome::open();
    tab.show(&format!("#/watch/{EIGHT}"));
    tab.eval("(() => { const s = document.querySelector('form select'); s.value = 'astar'; s.dispatchEvent(new Event('change')); })()");
    tab.click_button("Run");
    tab.wait("document.querySelector('.show')");
    assert!(tab.text(".verdict").contains("Solved in 8 moves"), "the shortest way has 8 moves");
    let hash = tab.eval("location.hash").as_str().unwrap().to_owned();
    assert_eq!(hash, format!("#/watch/{EIGHT}?run=astar@manhattan"));

    tab.click("[aria-label='Step forward']");
    tab.wait("document.querySelector('.show .aim').innerText.startsWith('Move 1 of 8')");
    tab.click("[aria-label='To the end']");
    tab.wait("document.querySelectorAll('.show .tile.done').length === 8");
    tab.click("[aria-label='Step back']");
    tab.click(".transport .primary");
    tab.wait("document.querySelector('.show .aim').innerText.startsWith('Move 8 of 8')");

    tab.click("[data-name='tree']");
    tab.wait("document.querySelector('.tree .node')");
    // A* expanded as many nodes as the statistics say; stepping back takes the last away, and on brings it back.
    let nodes = |tab: &mut chrome::Tab| {
        tab.eval("document.querySelectorAll('.forest .node').length").as_u64().unwrap()
    };
    assert_eq!(nodes(&mut tab), 1, "it begins with its first node");
    tab.click("[aria-label='After the last expansion']");
    let all = nodes(&mut tab);
    assert_eq!(all, 35, "as many as the statistics say were generated");
    tab.click("[aria-label='Before the first expansion']");
    assert_eq!(nodes(&mut tab), 1);
    tab.click("[aria-label='One expansion on']");
    assert_eq!(nodes(&mut tab), 5, "the gap in the middle can go four ways");
    tab.click("[aria-label='One expansion back']");
    assert_eq!(nodes(&mut tab), 1);
    tab.click("[aria-label='After the last expansion']");
    assert_eq!(nodes(&mut tab), all);
    assert!(tab.text(".ghf").contains('8'));
    tab.wait("document.querySelector('.tree .about .board')");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn parameters_have_fields_as_they_are_declared() {
    let mut tab = chrome::open();
    tab.show(&format!("#/watch/{EIGHT}?run=wastar:weight=2@manhattan"));
    tab.wait("document.querySelector('.show')");
    assert_eq!(tab.text(".verdict small").matches("wastar:weight=2").count(), 1);
    let weight = "document.querySelector('.parameters input[type=number]')";
    assert_eq!(tab.eval(&format!("[{weight}.value, {weight}.min, {weight}.max].join()")), "2,1,1000");
    tab.fill(".parameters input[type=number]", "3");
    tab.click_button("Run");
    tab.wait("document.querySelector('.verdict small')?.innerText.includes('wastar:weight=3')");
    assert_eq!(tab.eval("location.hash"), format!("#/watch/{EIGHT}?run=wastar:weight=3@manhattan"));
    // The methods of other puzzles are not offered, and those of this one are.
    let offered =
        tab.eval("[...document.querySelector('form select').options].map(({ value }) => value).join()");
    let offered = offered.as_str().unwrap().split(',').collect::<Vec<_>>();
    assert!(offered.contains(&"tiles") && !offered.contains(&"propagation"), "{offered:?}");
    // An address of an older page is refused in words.
    tab.show(&format!("#/watch/{EIGHT}?run=wastar@manhattan@2"));
    assert!(tab.text("main").contains("wastar:weight=2@manhattan"), "it says how it is written now");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn both_trees_of_a_bidirectional_search_are_drawn() {
    let mut tab = chrome::open();
    tab.show(&format!("#/watch/{EIGHT}?run=bidirectional&show=tree"));
    tab.click("[aria-label='After the last expansion']");
    tab.wait("document.querySelectorAll('.forest .node').length > 3");
    let count = |tab: &mut chrome::Tab, what: &str| {
        tab.eval(&format!("document.querySelectorAll('.forest .node{what}').length")).as_u64().unwrap()
    };
    let (all, backward) = (count(&mut tab, ""), count(&mut tab, ".backward"));
    assert!(backward > 1 && backward < all, "{backward} of {all}");
    // The two stand beside each other.
    let places = "[...document.querySelectorAll('.forest .node')].map((node) => [node.classList.contains('backward'), \
                  Number(node.getAttribute('transform').match(/-?[\\d.]+/)[0])])";
    let apart = format!(
        "(() => {{ const all = {places}; const of = (side) => all.filter(([it]) => it === side).map(([, x]) => x); \
         return Math.min(...of(true)) > Math.max(...of(false)); }})()"
    );
    assert_eq!(tab.eval(&apart), true);
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn nodes_at_the_depth_limit_are_told_from_pruned_ones() {
    let mut tab = chrome::open();
    tab.show(&format!("#/watch/{EIGHT}?run=dls:limit=3&show=tree"));
    tab.click("[aria-label='After the last expansion']");
    tab.wait("document.querySelectorAll('.forest .node.limit').length > 0");
    tab.eval("document.querySelector('.forest .node.limit').dispatchEvent(new MouseEvent('click', { bubbles: true }))");
    tab.wait("document.querySelector('.why').innerText.startsWith('At the depth limit')");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_run_is_cancelled_and_says_so() {
    let mut tab = chrome::open();
    tab.show(&format!("#/watch/{HARD}?run=idastar@hamming"));
    tab.wait("document.querySelector('.verdict')?.innerText.startsWith('Searching')");
    tab.click_button("Cancel");
    tab.wait("document.querySelector('.verdict')?.innerText.includes('you stopped it')");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_limit_that_is_reached_is_said() {
    let mut tab = chrome::open();
    tab.show(&format!("#/watch/{HARD}"));
    tab.eval("(() => { const s = document.querySelector('form select'); s.value = 'bfs'; s.dispatchEvent(new Event('change')); })()");
    tab.click("form .limits summary");
    tab.fill("form input[type=number][placeholder=none]", "1000");
    tab.click_button("Run");
    tab.wait("document.querySelector('.verdict')?.innerText.startsWith('Stopped: the node limit')");
    tab.eval("(() => { const s = document.querySelectorAll('form .limits select'); s[0].value = '1'; })()");
    tab.fill("form input[type=number][placeholder=none]", "");
    tab.eval("document.querySelector('form input[placeholder=none]').value = ''");
    tab.click_button("Run");
    tab.wait("/^Stopped: the (time|memory) limit/.test(document.querySelector('.verdict')?.innerText)");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_race_has_an_order_and_a_table() {
    let mut tab = chrome::open();
    tab.show(&format!("#/race/{EIGHT}?runs=bfs;astar@manhattan;idastar@hamming"));
    tab.click_button("Start");
    tab.wait("document.querySelectorAll('.medal.placed').length === 3");
    tab.wait("document.querySelector('.scroll tbody')");
    assert_eq!(tab.eval("document.querySelectorAll('.scroll')[0].querySelectorAll('tbody tr').length"), 3);
    tab.wait("[...document.querySelectorAll('.charts img')].every((img) => img.naturalWidth > 0)");
    assert!(tab.text(".verdict").contains("wins"));
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_race_is_replayed_and_its_winner_is_put_into_words() {
    let mut tab = chrome::open();
    tab.lively();
    // One of the hardest 8-puzzles: greedy search is first by far, and pays for it.
    tab.show("#/race/sliding:3x3:8,6,7,2,5,4,3,0,1?runs=astar@manhattan;greedy@manhattan");
    tab.click_button("Start");
    tab.wait("/ms|µs|s, (slowed|sped)/.test(document.querySelector('.results .quiet')?.innerText)");
    tab.wait("Number.parseFloat(document.querySelector('.way rect').getAttribute('width')) > 0");
    tab.click_button("Skip");
    tab.wait("document.querySelector('.scroll tbody')");
    let verdict = tab.text(".results .verdict");
    assert!(verdict.starts_with("greedy manhattan is first") && verdict.contains("but needs"), "{verdict}");
    assert!(verdict.contains("The best solution, 31 moves, is astar manhattan's"), "{verdict}");
    let pins = tab.eval("[...document.querySelectorAll('.track')].map((track) => [...track.querySelectorAll('.pin')].map((pin) => pin.innerText).join())");
    assert_eq!(pins, serde_json::json!(["best solution", "fastest,leanest"]));
    tab.click_button("Watch again");
    tab.wait("document.querySelector('.results .verdict').innerText === 'The race, as it went'");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_comparison_gives_a_table_plots_and_files() {
    let mut tab = chrome::open();
    tab.show("#/compare");
    tab.click_button("Compare");
    tab.wait("document.querySelector('.scroll tbody')");
    assert_eq!(tab.eval("document.querySelectorAll('.scroll')[0].querySelectorAll('tbody tr').length"), 3);
    for kind in ["csv", "svg", "html"] {
        let link = format!("document.querySelector('a[download$=\".{kind}\"]')");
        assert_eq!(tab.eval(&format!("fetch({link}.href).then((answer) => answer.status)")), 200, "{kind}");
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn learn_explains_and_leads_to_an_example() {
    let mut tab = chrome::open();
    tab.show("#/learn/bfs");
    assert!(tab.text("article").contains("level by level"));
    tab.click("article .button");
    tab.click("[aria-label='After the last expansion']");
    tab.wait("document.querySelectorAll('.forest .node').length > 3");
    tab.show("#/learn/counts");
    assert!(tab.text("article").contains("generated - 1 = b* + b*^2"));
    tab.show("#/learn/wastar");
    assert!(tab.text("article").contains("a number from 1 to 1000, usually 1.5"));
    tab.show("#/learn/boxes/shared-arcs");
    assert!(tab.text("article").contains("admissible"));
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_lost_connection_is_told_and_mended() {
    let mut tab = chrome::open();
    tab.show(&format!("#/play/{EIGHT}"));
    tab.call(
        "Network.emulateNetworkConditions",
        serde_json::json!({"offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}),
    );
    tab.key("Tab");
    tab.eval("document.querySelector('.playing').focus()");
    tab.key("ArrowUp");
    tab.wait("!document.getElementById('connection').hidden");
    tab.call(
        "Network.emulateNetworkConditions",
        serde_json::json!({"offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}),
    );
    tab.wait("document.getElementById('connection').hidden");
    tab.wait("document.querySelector('.message').innerText.startsWith('Connected again')");
    tab.key("ArrowUp");
    tab.wait_moves(1);
    tab.finish();
}

/// The bytes of script that a tab has loaded. The template's board is in the programs of tests alone.
fn script(tab: &mut Tab) -> u64 {
    let size = tab.eval(
        "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js') && !name.endsWith('/template.js'))
         .reduce((sum, entry) => sum + entry.decodedBodySize, 0)",
    );
    size.as_u64().unwrap()
}

#[test]
#[ignore = "needs Chromium"]
fn every_view_needs_less_than_150_kb_of_script() {
    let mut tab = chrome::open();
    let game = format!("play/{EIGHT}");
    let beside = format!("watch/{EIGHT}?run=bfs&with=astar&show=beside");
    let predict = format!("watch/{EIGHT}?run=bfs&show=predict");
    for view in ["play", &game, "watch", &beside, &predict, "race", "compare", "learn", "edit"] {
        tab.show(&format!("#/{view}"));
        let size = script(&mut tab);
        assert!((10_000..150_000).contains(&size), "{view}: {size} bytes of script");
    }
    // Nor is it more when everything that Watch shows was looked at.
    tab.show(&format!("#/watch/{EIGHT}?run=bfs&show=tree"));
    tab.wait("document.querySelector('.forest .node')");
    for (name, seen) in [("beside", ".besides"), ("predict", ".predict"), ("solution", ".show")] {
        tab.click(&format!("[role=tab][data-name={name}]"));
        tab.wait(&format!("document.querySelector('{seen}')"));
    }
    let size = script(&mut tab);
    assert!(size < 150_000, "Watch, every picture: {size} bytes of script");
    tab.finish();
}
