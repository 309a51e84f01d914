//! From text to instances, and new ones.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Json;
use axum::extract::State;
use novelo_puzzles::session::View;
use novelo_puzzles::{GenerateRequest, Instance, Named, Puzzle, RequestError, Size, input};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::api_error::{ApiError, ErrorResponses};
use super::app::Shared;
use super::body::Body;

/// The most instances of one text.
pub const MOST: usize = 200;

/// The most cells of all instances of one text: what is drawn of each is some hundred bytes.
const MOST_CELLS: usize = 20_000;

/// At most this many boards are tried: now and then a seed leads to none.
const ATTEMPTS: u64 = 8;

/// A text with instances in it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// Ids, one a line, or any format of any puzzle.
    #[schema(example = "sliding:3x3:1,2,3,4,5,6,0,7,8")]
    text: String,
    /// Which puzzle it is, where its looks do not tell.
    puzzle: Option<String>,
    /// The goal, for puzzles that know goals.
    goal: Option<String>,
}

/// Instances of a text.
#[derive(Serialize, ToSchema)]
pub struct Instances {
    instances: Vec<InstanceEntry>,
}

/// An instance.
#[derive(Serialize, ToSchema)]
pub struct InstanceEntry {
    id: String,
    puzzle: &'static str,
    /// Its name in the text.
    name: Option<String>,
    size: String,
    #[schema(value_type = Object)]
    view: View,
    /// Why there is no solution, where that is seen without a search.
    impossible: Option<String>,
    /// What the board must become, where that is not the usual.
    #[schema(value_type = Option<Object>)]
    goal: Option<View>,
}

/// What kind of instance to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    #[schema(example = "numbrix")]
    puzzle: String,
    #[schema(example = "5x5")]
    size: Option<String>,
    #[schema(example = "easy")]
    difficulty: Option<String>,
    /// The same seed gives the same instance; drawn if absent.
    seed: Option<u64>,
    /// Options of the puzzle's generator by name, as the registry declares them: numbers, words, true or false.
    #[serde(default)]
    options: BTreeMap<String, Value>,
}

/// A new instance.
#[derive(Serialize, ToSchema)]
pub struct Made {
    instance: InstanceEntry,
    seed: u64,
}

impl InstanceEntry {
    fn new(instance: &dyn Instance, name: Option<String>) -> Self {
        let id = instance.id();
        let size = size_of(&id);
        let game = instance.game();
        let (view, goal) = (game.view(), game.unusual_goal());
        Self {
            id,
            puzzle: instance.puzzle().info().name,
            name,
            size,
            view,
            impossible: instance.impossible(),
            goal,
        }
    }
}

/// Rows and columns, which every id begins with.
pub fn size_of(id: &str) -> String {
    id.split(':').nth(1).unwrap_or_default().to_owned()
}

/// The puzzle of a name.
pub fn puzzle(name: &str) -> Result<&'static dyn Puzzle, ApiError> {
    crate::cli::puzzle(name).map_err(|message| ApiError::impossible(message).field("puzzle"))
}

/// The one instance that a field must hold.
pub fn one(text: &str, field: &str) -> Result<Arc<dyn Instance>, ApiError> {
    let mut instances =
        input::read(text, None, None).map_err(|error| ApiError::in_text(error, field, text))?;
    match instances.len() {
        1 => Ok(instances.remove(0).instance.into()),
        count => Err(ApiError::bad(format!("there are {count} instances here; one is needed")).field(field)),
    }
}

/// Read instances
#[utoipa::path(post, path = "/api/instances", request_body = Reading,
    responses((status = 200, body = Instances), ErrorResponses))]
pub async fn read(
    State(app): State<Shared>,
    Body(reading): Body<Reading>,
) -> Result<Json<Instances>, ApiError> {
    app.brief.run(move |cancel| instances(&reading, cancel)).await?.map(Json)
}

/// The instances of a text, unless they are too many or too large together.
fn instances(reading: &Reading, cancel: &AtomicBool) -> Result<Instances, ApiError> {
    let puzzle = reading.puzzle.as_deref().map(puzzle).transpose()?;
    let named = input::read(&reading.text, puzzle, reading.goal.as_deref())
        .map_err(|error| ApiError::in_text(error, "text", &reading.text))?;
    match named.len() {
        0 => Err(ApiError::bad("there is no instance in this text").field("text")),
        1..=MOST => {
            let sizes = named.iter().map(|named| size_of(&named.instance.id()).parse::<Size>());
            let cells: usize = sizes.flatten().map(|size| size.rows * size.cols).sum();
            if cells > MOST_CELLS {
                let message =
                    format!("the boards in this text have {cells} cells together; {MOST_CELLS} are the most");
                return Err(ApiError::bad(message).field("text"));
            }
            let entry = |named: Named| {
                if cancel.load(Ordering::Relaxed) {
                    return Err(ApiError::impossible(
                        "these boards take longer than there is time to look at",
                    ));
                }
                Ok(InstanceEntry::new(&*named.instance, named.name))
            };
            Ok(Instances { instances: named.into_iter().map(entry).collect::<Result<_, _>>()? })
        }
        count => {
            let message = format!("there are {count} instances in this text; {MOST} are the most");
            Err(ApiError::bad(message).field("text"))
        }
    }
}

/// The value of an option as it would be written on a command line.
fn written(value: Value) -> Result<String, ApiError> {
    match value {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(flag) => Ok(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            Err(ApiError::bad("an option is a number, a text, true or false").field("options"))
        }
    }
}

/// Make an instance
#[utoipa::path(post, path = "/api/generate", request_body = Wish,
    responses((status = 200, body = Made), ErrorResponses))]
pub async fn generate(State(app): State<Shared>, Body(wish): Body<Wish>) -> Result<Json<Made>, ApiError> {
    let puzzle = puzzle(&wish.puzzle)?;
    let size = wish.size.as_deref().map(str::parse::<Size>).transpose();
    let seed = wish.seed.unwrap_or_else(|| u64::from(super::random()));
    let request = GenerateRequest {
        size: size.map_err(|message| ApiError::bad(message).field("size"))?,
        seed,
        difficulty: wish.difficulty,
        ..GenerateRequest::default()
    };
    let mut options = Vec::new();
    for (name, value) in wish.options {
        options.push((name, written(value)?));
    }
    let wrong = |error: RequestError| ApiError::bad(error.to_string()).field("options");
    let request = request.with(puzzle, options).map_err(wrong)?;
    let made = app.brief.run(move |cancel| {
        // Now and then a seed leads nowhere; another number of the same seed may.
        let mut made = puzzle.generate(&request, 0, cancel);
        for number in 1..ATTEMPTS {
            if made.is_ok() {
                break;
            }
            made = puzzle.generate(&request, number, cancel);
        }
        made.map_err(|error| match error {
            RequestError::Interrupted if cancel.load(Ordering::Relaxed) => {
                ApiError::impossible("no such board was found in the time there is")
                    .help("ask for a smaller or an easier one")
            }
            error => error.into(),
        })
        .map(|instance| InstanceEntry::new(&*instance, None))
    });
    Ok(Json(Made { instance: made.await??, seed }))
}
