//! The search tree: what its nodes say, how it plays, two of them side by side, and the exercise.

use serde_json::json;

use crate::chrome::{self, Tab};

const EIGHT: &str = "sliding:3x3:1,6,2,5,0,3,4,7,8";
const MANY_BOUNDS: &str = "sliding:3x3:8,1,3,4,0,2,7,6,5";

fn nodes(tab: &mut Tab) -> u64 {
    tab.eval("document.querySelectorAll('.forest .node').length").as_u64().unwrap()
}

fn to_the_end(tab: &mut Tab) {
    tab.click("[aria-label='After the last expansion']");
}

/// The names of the nodes that a selector finds, which say their g, h and f.
fn names(tab: &mut Tab, selector: &str) -> Vec<String> {
    let found = tab.eval(&format!(
        "[...document.querySelectorAll('.forest .node{selector}')].map((node) => node.getAttribute('aria-label'))"
    ));
    found.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

/// A figure of a node by its name.
fn figure(node: &str, name: &str) -> f64 {
    let part = node.split(", ").find_map(|part| part.strip_prefix(&format!("{name} "))).unwrap();
    part.parse().unwrap_or_else(|_| panic!("{node}"))
}

#[test]
#[ignore = "needs Chromium"]
fn every_example_of_learn_opens_runs_and_draws_its_tree() {
    let mut tab = chrome::open();
    tab.show("#/learn");
    let topics = tab.eval("[...document.querySelectorAll('.contents a')].map((a) => a.getAttribute('href'))");
    for topic in topics.as_array().unwrap() {
        tab.show(topic.as_str().unwrap());
        let links =
            tab.eval("[...document.querySelectorAll('article a.button')].map((a) => a.getAttribute('href'))");
        for link in links.as_array().unwrap() {
            let link = link.as_str().unwrap();
            tab.show(link);
            let seen = match link {
                tree if tree.contains("show=tree") => ".forest .node",
                _ => ".outcome .figures",
            };
            tab.wait(&format!("document.querySelector('{seen}, .problem:not([hidden])')"));
            assert_eq!(tab.text(".problem:not([hidden])"), "", "{link}");
        }
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn every_algorithm_has_pseudocode_a_diagram_and_an_exercise() {
    let mut tab = chrome::open();
    for algorithm in novelo_search::Algorithm::INFOS.iter().filter(|info| info.lesson.is_some()) {
        tab.show(&format!("#/learn/{}", algorithm.name));
        tab.wait("document.querySelector('.code li') && document.querySelector('.diagram .node')");
        tab.click_button("Predict its next steps");
        tab.wait("document.querySelector('article .predict .node, article .exercise .quiet, article .problem:not([hidden])')");
        assert_eq!(tab.text("article .problem:not([hidden])"), "", "{}", algorithm.name);
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_board_proved_unsolvable_without_a_search_says_so_where_its_tree_would_be() {
    let mut tab = chrome::open();
    tab.show("#/watch/mazes:4x4:4/4/1x2/4?run=astar&show=tree");
    tab.wait("document.querySelector('.body')?.innerText.includes('No search was needed')");
    assert!(tab.text(".chosen").contains("This board has no solution"));
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_nodes_of_a_tree_say_what_is_true() {
    let mut tab = chrome::open();
    // Depth-first search goes deep, and every step costs one.
    tab.show(&format!("#/watch/{EIGHT}?run=dfs&show=tree"));
    to_the_end(&mut tab);
    tab.wait("document.querySelectorAll('.forest .node').length > 20");
    let deepest = names(&mut tab, "").iter().map(|node| figure(node, "g")).fold(0.0, f64::max);
    assert!(deepest >= 20.0, "{deepest}");
    // What IDA* prunes lies beyond its bound, and the bound grows from tree to tree.
    tab.show(&format!("#/watch/{MANY_BOUNDS}?run=idastar@manhattan&show=tree"));
    tab.wait("document.querySelector('.forest .node')");
    let bound = |tab: &mut Tab| {
        let text = tab.text(".tree .aim");
        text.split("bound ").nth(1).unwrap().split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let first = bound(&mut tab);
    to_the_end(&mut tab);
    let last = bound(&mut tab);
    assert!(last > first, "{last} after {first}");
    let cut = names(&mut tab, ".cut");
    assert!(!cut.is_empty());
    for node in cut {
        assert!(figure(&node, "f") > last, "{node} at the bound {last}");
        let sum = figure(&node, "g") + figure(&node, "h");
        assert!((figure(&node, "f") - sum).abs() < 1e-9, "{node}");
    }
    // A label has room in its node, whatever the estimate.
    tab.show("#/watch/numbrix:3x3:1c5_4b9?run=astar@openness&show=tree");
    to_the_end(&mut tab);
    tab.wait("document.querySelectorAll('.forest .node').length > 3");
    let longest = "Math.max(...[...document.querySelectorAll('.forest .node > text:not(.order)')].map((text) => text.textContent.replace(/^[gfh] /, '').length))";
    assert!(tab.eval(longest).as_u64().unwrap() <= 5);
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_reason_of_every_choice_is_the_rule_of_the_algorithm() {
    let mut tab = chrome::open();
    let rules = [
        ("bfs", "it waited longest"),
        ("dfs", "it was found last"),
        ("ucs", "had a smaller g"),
        ("greedy@manhattan", "had a smaller h"),
        ("astar@manhattan", "had a smaller f"),
        ("idastar@manhattan", "it was found last"),
        ("bidirectional", "it waited longest"),
    ];
    for (run, rule) in rules {
        tab.show(&format!("#/watch/{EIGHT}?run={run}&show=tree"));
        tab.wait("document.querySelector('.forest .node')");
        // The frontier as the page has it must agree with what the search did, at every step.
        let others = tab.eval(&format!(
            "(() => {{ const slider = document.querySelector('.transport input[type=range]'); const odd = [];
             for (let at = 3; at <= Math.min(120, slider.max); at++) {{
               slider.value = at; slider.dispatchEvent(new Event('input'));
               const why = document.querySelector('.why').innerText;
               if (why.startsWith('Expanded') && !why.includes({})) odd.push(why);
             }} return odd; }})()",
            json!(rule)
        ));
        assert_eq!(others, json!([]), "{run}");
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn limits_hold_for_the_tree_and_stand_in_the_link() {
    let mut tab = chrome::open();
    tab.show(&format!("#/watch/{EIGHT}?run=astar@manhattan&show=tree&nodes=5"));
    to_the_end(&mut tab);
    tab.wait("document.querySelector('.tree .aim').innerText.startsWith('Expansion 5 of 5')");
    assert!(tab.text(".verdict").starts_with("Stopped: the node limit"));
    assert_eq!(tab.eval("document.querySelector('form .limits').open"), true, "a limit that is set is seen");
    let hash = tab.eval("location.hash").as_str().unwrap().to_owned();
    assert!(hash.contains("nodes=5"), "{hash}");
    tab.show(&format!("#/watch/{EIGHT}?run=astar@manhattan"));
    assert_eq!(tab.eval("document.querySelector('form .limits').open"), false, "others are folded away");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_tree_plays_by_itself_and_by_keyboard() {
    let mut tab = chrome::open();
    tab.lively();
    tab.show(&format!("#/watch/{EIGHT}?run=astar@manhattan&show=tree"));
    tab.wait("document.querySelectorAll('.forest .node').length > 3");
    tab.eval("document.querySelector('.tree .transport').querySelector('.primary').focus()");
    tab.click("[aria-label='Pause']");
    tab.click("[aria-label='Before the first expansion']");
    assert_eq!(nodes(&mut tab), 1);
    tab.eval("document.querySelector('.forest .node').focus()");
    assert_eq!(tab.eval("document.activeElement.classList.contains('node')"), true, "nodes can be focused");
    for _ in 0..3 {
        tab.key(".");
    }
    tab.wait("document.querySelectorAll('.forest .node').length === 3");
    assert_eq!(
        tab.eval("document.querySelectorAll('.code .lit').length"),
        1,
        "one line of pseudocode is lit"
    );
    tab.key(",");
    tab.wait("document.querySelectorAll('.forest .node').length === 2");
    tab.key("ArrowUp");
    tab.key("ArrowDown");
    assert_eq!(tab.eval("document.activeElement.dataset.id"), "1", "arrows go from node to node");
    to_the_end(&mut tab);
    tab.click("[aria-label='One expansion back']");
    // The frontier stands in the order of the open list: by f, then by h.
    let order = tab.eval(
        "[...document.querySelectorAll('.listed:first-of-type .strip button span')].map((text) => text.innerText.match(/[\\d.]+/g).map(Number))",
    );
    let keys: Vec<_> = order
        .as_array()
        .unwrap()
        .iter()
        .map(|key| (key[0].as_f64().unwrap(), key[2].as_f64().unwrap()))
        .collect();
    assert!(keys.len() > 2 && keys.is_sorted(), "{keys:?}");
    tab.click("[aria-label='Before the first expansion']");
    tab.click("[aria-label='One expansion on']");
    assert_eq!(
        tab.eval("document.querySelectorAll('.node.boarded .board').length"),
        5,
        "boards, where they are large enough"
    );
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_breadth_first_tree_of_hundreds_of_nodes_is_legible_at_every_step() {
    let mut tab = chrome::open();
    tab.show(&format!("#/watch/{EIGHT}?run=bfs&show=tree"));
    tab.wait("document.querySelector('.forest .node')");
    // The node in hand is in sight, its letters are not too small to read, and no node in sight lies on another.
    let faults = tab.eval(
        "(() => {
           const slider = document.querySelector('.transport input[type=range]');
           const box = (element) => element.getBoundingClientRect();
           const over = (a, b) => a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom - 1 && a.bottom > b.top + 1;
           const faults = [];
           for (let at = 1; at <= Number(slider.max); at += 7) {
             slider.value = at;
             slider.dispatchEvent(new Event('input'));
             const all = box(document.querySelector('.forest'));
             const node = document.querySelector('.forest .node.current');
             if (!node || !over(box(node), all)) faults.push(`${at}: out of sight`);
             else if (Math.round(box(node.querySelector(':scope > text')).height) < 9) faults.push(`${at}: too small`);
             const shapes = [...document.querySelectorAll('.forest .node > .shape')].map(box).filter((shape) => over(shape, all));
             if (shapes.some((one, i) => shapes.slice(i + 1).some((other) => over(one, other)))) faults.push(`${at}: one on another`);
           }
           return [faults, document.querySelectorAll('.forest .node').length];
         })()",
    );
    assert_eq!(faults[0], json!([]));
    assert!(faults[1].as_u64().unwrap() > 300, "{faults}");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn two_searches_go_side_by_side_in_step() {
    let mut tab = chrome::open();
    tab.show(&format!("#/watch/{MANY_BOUNDS}?run=astar@manhattan&with=bfs&show=beside"));
    tab.wait("document.querySelectorAll('.column .forest .node').length >= 2");
    tab.click("[aria-label='One step on']");
    tab.wait(
        "document.querySelector('.besides .verdict').innerText.startsWith('Both have looked at 1 state;')",
    );
    tab.click("[aria-label='To the end']");
    let looked = tab.eval("[...document.querySelectorAll('.column .aim b')].map((b) => Number(b.innerText.replaceAll(',', '').match(/\\d+/)[0]))");
    let (astar, bfs) = (looked[0].as_u64().unwrap(), looked[1].as_u64().unwrap());
    assert!(astar * 5 < bfs, "the estimate is worth something: {astar} and {bfs}");
    assert!(
        tab.eval("document.querySelectorAll('.column:last-child .node.only').length").as_u64().unwrap() > 0
    );
    tab.eval("(() => { const s = [...document.querySelectorAll('.besides select')].at(-1); s.value = 'time'; s.dispatchEvent(new Event('change')); })()");
    tab.wait("location.hash.endsWith('&by=time') && document.querySelector('.besides .transport .aim')?.innerText.includes(' of ')");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_next_node_is_predicted() {
    let mut tab = chrome::open();
    tab.show(&format!("#/watch/{EIGHT}?run=astar@manhattan&show=predict"));
    tab.wait("document.querySelector('.predict .strip button')");
    // Whoever takes the smallest f and of these the smallest h is always right; whoever takes the largest is told why not.
    let pick = |which: &str| {
        format!(
            "[...document.querySelectorAll('.predict .strip button')].map((b) => [b, ...b.querySelector('span').innerText.match(/[\\d.]+/g).map(Number)])
             .sort((a, b) => a[1] - b[1] || a[3] - b[3]).at({which})[0].click()"
        )
    };
    tab.eval(&pick("-1"));
    tab.wait("document.querySelector('.told.wrong')?.innerText.includes('had a smaller f')");
    tab.click_button("Next question");
    for _ in 1..9 {
        tab.wait("document.querySelector('.predict .why').innerText === ''");
        tab.eval(&pick("0"));
        tab.wait("document.querySelector('.told.right')");
        tab.click_button("Next question");
    }
    tab.eval(&pick("0"));
    tab.click_button("The score");
    tab.wait("document.querySelector('.predict .verdict').innerText === '9 of 10 right.'");
    // What keeps no frontier is asked about what becomes of each child.
    tab.show(&format!("#/watch/{MANY_BOUNDS}?run=idastar@manhattan&show=predict"));
    tab.wait("document.querySelector('.predict .verdict')?.innerText.includes('What becomes of it?')");
    tab.click_button("It is pruned");
    tab.wait("document.querySelector('.told')");
    tab.finish();
}
