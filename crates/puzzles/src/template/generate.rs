//! New instances. The same request and number must give the same instance, and it must have a solution.

use novelo_search::parameter::Parameter;

use super::instance::{Button, SIZE};
use crate::puzzle::{DIFFICULTIES, GenerateRequest};
use crate::request::RequestError;

/// What can be asked for beside size, seed and difficulty. Whatever is declared here is an option of `novelo generate`,
/// of experiment files and of the server; `request.options` has the values, checked.
pub const OPTIONS: &[Parameter] = &[];

/// The button of a request: it is up, whatever the seed and the difficulty.
pub fn generate(request: &GenerateRequest) -> Result<Button, RequestError> {
    let refuse = |message: String| Err(RequestError::Unsupported(message));
    if let Some(size) = request.size.filter(|&size| size != SIZE) {
        return refuse(format!("a board of {size} cannot be made; there is one size, {SIZE}"));
    }
    if let Some(name) = request.difficulty.as_deref().filter(|name| !DIFFICULTIES.contains(name)) {
        return refuse(format!("there is no difficulty '{name}'; there are {}", DIFFICULTIES.join(", ")));
    }
    Ok(Button { pressed: false })
}
