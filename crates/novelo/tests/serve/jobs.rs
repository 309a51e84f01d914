//! Jobs: live counters, limits, the queue, giving up.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{EIGHT, HARD, Server};

fn hopeless() -> Value {
    json!({"kind": "solve", "instance": HARD, "run": {"algorithm": "ids"}})
}

fn submit(server: &Server, order: &Value) -> String {
    server.posted("/api/jobs", order)["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_solution_comes_with_its_proof() {
    let server = Server::start();
    let run = json!({"algorithm": "astar", "heuristic": "manhattan"});
    let job = server.job(&json!({"kind": "solve", "instance": EIGHT, "run": run}));
    assert_eq!(job["state"], "done", "{job}");
    let report = &job["result"]["report"];
    assert_eq!(report["cost"], 31);
    assert_eq!(report["optimal"], true);
    assert_eq!(report["moves"].as_array().unwrap().len(), 31);
    assert_eq!(job["runs"][0]["state"], "finished");
    let again = server.get(&format!("/api/jobs/{}", job["id"].as_str().unwrap()));
    assert_eq!(again, (200, job), "the result is kept");
}

#[test]
fn better_solutions_are_told_with_what_is_proved() {
    let server = Server::start();
    let run = json!({"algorithm": "arastar:weight=10", "heuristic": "manhattan"});
    let job = server.job(&json!({"kind": "solve", "instance": EIGHT, "run": run}));
    let told = job["runs"][0]["improvements"].as_array().unwrap();
    let costs: Vec<_> = told.iter().map(|better| better["cost"].as_u64().unwrap()).collect();
    assert!(costs.len() > 1 && costs.is_sorted_by(|a, b| a > b), "{job}");
    assert_eq!(costs.last().copied(), job["result"]["report"]["cost"].as_u64());
    assert!(told.iter().all(|better| better["lower_bound"].as_u64() <= Some(31)), "{job}");
}

#[test]
fn counters_run_while_it_runs() {
    let server = Server::start();
    let id = submit(&server, &hopeless());
    let mut counts = Vec::new();
    for job in server.watch(&id) {
        // Null before it has begun.
        let expanded = job["runs"][0]["expanded"].as_u64().unwrap_or(0);
        if expanded > 0 {
            counts.push(expanded);
        }
        if counts.len() == 3 {
            break;
        }
    }
    assert!(counts.windows(2).all(|pair| pair[0] < pair[1]), "{counts:?}");
    let (status, job) = server.delete(&format!("/api/jobs/{id}"));
    assert_eq!(status, 200, "{job}");
    let job = server.wait_for(&id, "cancelled");
    assert_eq!(job["result"]["report"]["stop"], "interrupted", "what was counted stays");
    assert!(job["result"]["report"]["expanded"].as_u64().unwrap() >= counts[2]);
}

#[test]
fn limits_of_the_order_and_of_the_server_are_said() {
    let server = Server::with(&["--job-time", "1s", "--job-memory", "8MiB"]);
    let stop = |run: Value, limits: Value| {
        let job = server.job(&json!({"kind": "solve", "instance": HARD, "run": run, "limits": limits}));
        assert_eq!(job["state"], "done", "{job}");
        job["result"]["report"]["stop"].as_str().unwrap().to_owned()
    };
    let deep = json!({"algorithm": "ids"});
    let wide = json!({"algorithm": "bfs"});
    assert_eq!(stop(deep.clone(), json!({"seconds": 0.2})), "time");
    assert_eq!(stop(deep.clone(), json!({"nodes": 1000})), "nodes");
    assert_eq!(stop(wide.clone(), json!({"bytes": 1_000_000})), "memory");
    assert_eq!(stop(deep, json!({"seconds": 1e6})), "time", "the server's own limit holds");
    assert_eq!(stop(wide, json!({"bytes": u64::MAX})), "memory", "the server's own limit holds");
    let shallow = json!({"algorithm": "dls", "depth_limit": 3});
    assert_eq!(stop(shallow, json!({})), "depth");
}

#[test]
fn orders_that_cannot_be_are_refused_at_the_counter() {
    let server = Server::start();
    let solve = |run: Value| json!({"kind": "solve", "instance": EIGHT, "run": run});
    for (order, status, field) in [
        (solve(json!({"algorithm": "magic"})), 422, "run.algorithm"),
        (solve(json!({"algorithm": "astar", "heuristic": "magic"})), 422, "run.heuristic"),
        (solve(json!({"algorithm": "wastar:weight=0.5"})), 422, "run.algorithm"),
        (solve(json!({"algorithm": "wastar", "weight": 2})), 400, "body"),
        (solve(json!({"algorithm": "dls"})), 422, "run.algorithm"),
        (solve(json!({"algorithm": "propagation"})), 422, "run.algorithm"),
        (
            json!({"kind": "race", "instance": HARD, "runs": [{"algorithm": "ids"}, {"algorithm": "dls"}]}),
            422,
            "runs[1].algorithm",
        ),
        (json!({"kind": "solve", "instance": "x", "run": {"algorithm": "bfs"}}), 400, "instance"),
        (json!({"kind": "race", "instance": EIGHT, "runs": [{"algorithm": "bfs"}]}), 400, "runs"),
        (json!({"kind": "dance"}), 400, "body"),
        (
            json!({"kind": "solve", "instance": EIGHT, "run": {"algorithm": "bfs"}, "limits": {"seconds": -1}}),
            400,
            "limits.seconds",
        ),
    ] {
        let (got, value) = server.post("/api/jobs", &order);
        assert_eq!(got, status, "{order}: {value}");
        assert_eq!(value["error"]["where"]["field"], field, "{value}");
    }
    let (_, value) = server.post("/api/jobs", &solve(json!({"algorithm": "dls"})));
    assert!(value["error"]["message"].as_str().unwrap().contains("dls:limit=20"), "{value}");
}

#[test]
fn an_algorithm_comes_with_its_parameters_and_a_method_by_its_name() {
    let server = Server::start();
    let solve = |algorithm: &str| {
        let run = json!({"algorithm": algorithm});
        let job = server.job(&json!({"kind": "solve", "instance": EIGHT, "run": run}));
        job["result"]["report"].clone()
    };
    let (plain, thrice) = (solve("wastar"), solve("wastar:weight=3"));
    assert_eq!(
        (&plain["method"], &thrice["method"]),
        (&"wastar:weight=1.5".into(), &"wastar:weight=3".into())
    );
    assert_ne!(plain["expanded"], thrice["expanded"]);
    let tiles = solve("tiles");
    assert_eq!((&tiles["method"], &tiles["cost"]), (&"tiles".into(), &31.into()));
    let near = "sliding:3x3:1,2,3,4,0,6,7,5,8";
    let runs =
        json!([{"algorithm": "dls:limit=3"}, {"algorithm": "wastar:weight=2", "heuristic": "manhattan"}]);
    let job = server.job(&json!({"kind": "race", "instance": near, "runs": runs}));
    assert_eq!(job["runs"][1]["label"], "wastar:weight=2 manhattan", "{job}");
}

#[test]
fn a_race_has_an_order_of_finishing() {
    let server = Server::start();
    let runs = json!([{"algorithm": "ids"}, {"algorithm": "astar"}, {"algorithm": "idastar", "heuristic": "hamming"}]);
    let near = "sliding:3x3:1,2,3,4,0,6,7,5,8";
    let job = server.job(&json!({"kind": "race", "instance": near, "runs": runs}));
    assert_eq!(job["state"], "done", "{job}");
    let runs = job["runs"].as_array().unwrap().iter();
    let mut placed: Vec<_> =
        runs.map(|run| (run["place"].as_u64().unwrap(), run["seconds"].as_f64().unwrap())).collect();
    placed.sort_by_key(|(place, _)| *place);
    assert_eq!(placed.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(placed.is_sorted_by_key(|(_, seconds)| *seconds), "the first took the least time: {placed:?}");
    for report in job["result"]["reports"].as_array().unwrap() {
        assert_eq!(report["cost"], 2);
    }
}

#[test]
fn a_race_that_one_cannot_run_does_not_start() {
    let server = Server::start();
    let runs = json!([{"algorithm": "ids"}, {"algorithm": "bidirectional"}]);
    let board = "boxes:9x9:81";
    let (status, answer) =
        server.post("/api/jobs", &json!({"kind": "race", "instance": board, "runs": runs}));
    assert_eq!(status, 422, "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("run backwards"), "{answer}");
    assert_eq!(answer["error"]["where"]["field"], "runs[1].algorithm", "{answer}");
}

#[test]
fn a_full_queue_says_so_and_empties() {
    let server = Server::with(&["--max-jobs", "1"]);
    let mut taken = vec![submit(&server, &hopeless())];
    server.wait_for(&taken[0], "running");
    let mut refused = 0;
    for _ in 0..80 {
        let (status, value) = server.post("/api/jobs", &hopeless());
        match status {
            202 => taken.push(value["id"].as_str().unwrap().to_owned()),
            429 => refused += 1,
            _ => panic!("{status} {value}"),
        }
    }
    assert_eq!((taken.len(), refused), (65, 16));
    let (_, last) = server.get(&format!("/api/jobs/{}", taken[64]));
    assert_eq!((&last["state"], &last["position"]), (&json!("queued"), &json!(64)));
    for id in taken.iter().rev() {
        assert_eq!(server.delete(&format!("/api/jobs/{id}")).0, 200);
    }
    for id in &taken {
        server.wait_for(id, "cancelled");
    }
    let solve = json!({"kind": "solve", "instance": EIGHT, "run": {"algorithm": "astar"}});
    assert_eq!(server.job(&solve)["state"], "done", "there is room again");
}

#[test]
fn a_client_that_goes_away_gives_its_job_up() {
    let server = Server::start();
    let id = submit(&server, &hopeless());
    drop(server.watch(&id).next());
    // Looking at the job would keep it alive; the count of running jobs does not.
    loop {
        std::thread::sleep(Duration::from_millis(500));
        if server.get("/api/health").1["jobs"] == 0 {
            break;
        }
    }
    assert_eq!(server.get(&format!("/api/jobs/{id}")).1["state"], "cancelled");
}

#[test]
fn a_watcher_that_comes_back_finds_its_job() {
    let server = Server::start();
    let id = submit(&server, &hopeless());
    for _ in 0..3 {
        let job = server.watch(&id).next().unwrap();
        assert!(matches!(job["state"].as_str(), Some("queued" | "running")));
    }
    server.delete(&format!("/api/jobs/{id}"));
}

#[test]
fn a_tree_grows_in_the_order_of_expansion() {
    let server = Server::start();
    let near = "sliding:3x3:1,2,3,4,0,6,7,5,8";
    let run = json!({"algorithm": "astar", "heuristic": "manhattan"});
    let job = server.job(&json!({"kind": "trace", "instance": near, "run": run}));
    let trace = &job["result"]["trace"];
    assert_eq!(trace["complete"], true, "{job}");
    assert_eq!(trace["nodes"][0]["fate"], "root");
    assert_eq!(trace["nodes"][0]["h"], 2.0);
    assert_eq!(trace["path"].as_array().unwrap().len(), 3);
    let expanded = job["result"]["report"]["expanded"].as_u64().unwrap() as usize;
    assert_eq!(trace["expansions"].as_array().unwrap().len(), expanded);
    let cut = server.job(&json!({"kind": "trace", "instance": EIGHT, "run": run, "nodes": 50}));
    assert_eq!(cut["result"]["trace"]["complete"], false);
    assert_eq!(cut["result"]["trace"]["nodes"].as_array().unwrap().len(), 50);
    let auto = |instance: &str| {
        let job = server.job(&json!({"kind": "trace", "instance": instance, "run": {"algorithm": "auto"}}));
        assert_eq!(job["result"]["report"]["optimal"], true, "{job}");
        job["result"]["trace"]["nodes"].as_array().unwrap().len()
    };
    assert!(auto(EIGHT) > 1, "auto takes an algorithm of the engine here");
    assert_eq!(auto("numbrix:3x3:1c5_4b9"), 0, "a method that grows no tree has none to show");
}

#[test]
fn bidirectional_search_has_a_tree_from_each_end() {
    let server = Server::start();
    let run = json!({"algorithm": "bidirectional"});
    let job = server.job(&json!({"kind": "trace", "instance": "sliding:3x3:1,6,2,5,0,3,4,7,8", "run": run}));
    let nodes = job["result"]["trace"]["nodes"].as_array().unwrap();
    let roots: Vec<_> =
        nodes.iter().filter(|node| node["parent"].is_null()).map(|node| &node["backward"]).collect();
    assert_eq!(roots, [&json!(false), &json!(true)], "{job}");
    assert_eq!(job["result"]["trace"]["path"].as_array().unwrap().len(), 9);
}

#[test]
fn a_comparison_has_a_table_charts_and_files() {
    let server = Server::start();
    let instances = ["sliding:3x3:1,2,3,4,0,6,7,5,8", "sliding:3x3:1,2,3,0,4,6,7,5,8"];
    let runs = json!([{"algorithm": "bfs"}, {"algorithm": "astar", "heuristic": "manhattan"}]);
    let order = json!({"kind": "compare", "instances": instances, "runs": runs, "repeat": 2});
    let job = server.job(&order);
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["steps"], json!({"done": 8, "total": 8}));
    assert_eq!(job["result"]["table"]["rows"].as_array().unwrap().len(), 2);
    assert_eq!(job["result"]["details"]["rows"].as_array().unwrap().len(), 4);
    let files = job["result"]["files"].as_array().unwrap();
    assert!(files.iter().any(|file| file["role"] == "chart"));
    let path = |name: &str| format!("/api/jobs/{}/files/{name}", job["id"].as_str().unwrap());
    for file in files {
        let (status, text) = server.get(&path(file["name"].as_str().unwrap()));
        assert_eq!(status, 200);
        let text = text.as_str().unwrap();
        if file["role"] == "chart" {
            assert!(text.starts_with("<svg") || text.starts_with("<?xml"), "{text}");
            assert!(!text.contains("<script"), "{text}");
        }
    }
    let (_, csv) = server.get(&path("table.csv"));
    assert!(csv.as_str().unwrap().contains("astar manhattan"));
    let (_, head) = server.get_with(&format!("{}?download", path("table.csv")), &server.host());
    assert!(head.contains("content-disposition: attachment"), "{head}");
    let (_, head) = server.get_with(&path("report.html"), &server.host());
    assert!(head.contains("content-disposition: attachment"), "pages are kept, never shown: {head}");
    assert_eq!(server.get(&path("nothing.svg")).0, 404);
}

#[test]
fn a_comparison_ends_with_the_time_of_a_job() {
    let server = Server::with(&["--job-time", "1s"]);
    let order =
        json!({"kind": "compare", "instances": [HARD], "runs": [{"algorithm": "ids"}, {"algorithm": "bfs"}]});
    let job = server.job(&order);
    assert_eq!(job["state"], "done", "{job}");
    let rows = job["result"]["table"]["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row[1]["text"] == "time" || row[1]["text"] == "memory"), "{rows:?}");
}

#[test]
fn an_audit_convicts_and_acquits() {
    let server = Server::start();
    let audit = |puzzle: &str, heuristic: &str, size: &str| {
        let order = json!({"kind": "audit", "puzzle": puzzle, "heuristic": heuristic, "size": size});
        let job = server.job(&order);
        assert_eq!(job["state"], "done", "{job}");
        job["result"].clone()
    };
    let good = audit("sliding", "manhattan", "2x3");
    assert_eq!(good["audit"]["admissible"], true);
    assert_eq!(good["audit"]["states"], 360);
    assert_eq!(good["files"][0]["role"], "chart");
    let bad = audit("boxes", "corners", "2x2");
    assert_eq!(bad["audit"]["admissible"], false);
    let example = &bad["audit"]["counterexample"];
    let run = json!({"algorithm": "auto"});
    let solved = server.job(&json!({"kind": "solve", "instance": example["id"], "run": run}));
    assert_eq!(solved["result"]["report"]["cost"], example["cost"], "the counterexample is one");
    assert!(example["h"].as_f64().unwrap() > example["cost"].as_f64().unwrap());
    let (status, _) =
        server.post("/api/jobs", &json!({"kind": "audit", "puzzle": "sliding", "heuristic": "magic"}));
    assert_eq!(status, 422);
}

#[test]
fn tables_of_a_heuristic_keep_to_the_memory_of_a_job() {
    let server = Server::with(&["--job-memory", "8MiB"]);
    let audit =
        json!({"kind": "audit", "puzzle": "sliding", "heuristic": "pdb:7-8", "size": "4x4", "samples": 1});
    let job = server.job(&audit);
    assert_eq!(job["state"], "failed", "{job}");
    assert!(job["error"]["message"].as_str().unwrap().contains("memory"), "{job}");
    let run = json!({"algorithm": "astar", "heuristic": "pdb:7-8"});
    let job = server.job(&json!({"kind": "trace", "instance": HARD, "run": run}));
    assert_eq!(job["result"]["report"]["stop"], "memory", "{job}");
}

#[test]
fn an_audit_ends_at_the_time_of_a_job() {
    let server = Server::with(&["--job-time", "1s"]);
    let order = json!({"kind": "audit", "puzzle": "sliding", "heuristic": "manhattan", "size": "5x5", "samples": 1000});
    let job = server.job(&order);
    assert_eq!(job["state"], "failed", "{job}");
    // By its own clock, or by that of whoever waits for it, whichever looks first.
    let message = job["error"]["message"].as_str().unwrap();
    assert!(message.contains("time limit") || message.contains("the 1 s that a job may take"), "{job}");
}

/// The page's run, tree, race and comparison are the same search.
#[test]
fn solve_trace_race_and_compare_count_the_same() {
    let server = Server::start();
    for run in [
        json!({"algorithm": "idastar", "heuristic": "walking-distance"}),
        json!({"algorithm": "idastar", "heuristic": "pdb:4-4"}),
        json!({"algorithm": "wastar:weight=2", "heuristic": "manhattan"}),
        json!({"algorithm": "bidirectional"}),
    ] {
        let solved = server.job(&json!({"kind": "solve", "instance": EIGHT, "run": run}));
        let report = &solved["result"]["report"];
        let expanded = report["expanded"].as_u64().unwrap();
        let traced = server.job(&json!({"kind": "trace", "instance": EIGHT, "run": run}));
        assert_eq!(traced["result"]["report"]["expanded"], expanded, "{run}");
        assert_eq!(traced["result"]["report"]["generated"], report["generated"], "{run}");
        let raced =
            server.job(&json!({"kind": "race", "instance": EIGHT, "runs": [run, {"algorithm": "bfs"}]}));
        assert_eq!(raced["result"]["reports"][0]["expanded"], expanded, "{run}");
    }
}
