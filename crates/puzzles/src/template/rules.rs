//! The rules as a search problem.

use crate::Cost;
use novelo_search::Problem;

use super::instance::Button;

/// The only action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Press;

novelo_search::wire_fields!([] Press {});

/// The rules for an instance. A state says whether the button is down; keep yours as small and plain, since each is
/// stored as it is.
#[derive(Debug, Clone)]
pub struct Rules {
    start: bool,
}

impl Rules {
    /// The rules for an instance.
    pub fn new(button: Button) -> Self {
        Self { start: button.pressed }
    }
}

impl Problem for Rules {
    type State = bool;
    type Action = Press;
    /// What taking an action back needs to know beside the action itself.
    type Undo = ();
    type Cost = Cost;

    const BACK: Option<()> = Some(());

    fn start(&self) -> bool {
        self.start
    }

    fn is_goal(&self, pressed: &bool) -> bool {
        *pressed
    }

    fn actions(&self, pressed: &bool, out: &mut Vec<Press>) {
        if !pressed {
            out.push(Press);
        }
    }

    fn apply(&self, pressed: &mut bool, Press: Press) -> (Cost, ()) {
        *pressed = true;
        (1, ())
    }

    fn undo(&self, pressed: &mut bool, Press: Press, (): ()) {
        *pressed = false;
    }

    fn unit_cost(&self) -> bool {
        true
    }
}

impl crate::formulation::Rules for Rules {
    fn written(&self, Press: Press) -> String {
        "press".into()
    }
}
