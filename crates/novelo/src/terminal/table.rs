//! A game on the table: what a player does with it, and what the solver says.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use novelo_puzzles::session::{Cell, Check, Hint, IllegalMove, Kind, Par, Plan, Session, Status, View};
use novelo_puzzles::{Puzzle, Request, Size};
use novelo_search::Stop;

use super::board::{Hits, Spot};
use super::cursor::{self, Arrow};
use super::job::{Job, State};
use super::words;
use crate::keep::{Keep, Score};

/// How long a question may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// The slowest and the fastest pace at which a solution is played.
const PACES: [Duration; 2] = [Duration::from_millis(1600), Duration::from_millis(12)];

/// What the solver was asked, answered.
enum Answer {
    Hint(Hint),
    Check(Result<Check, Stop>),
    Plan(Result<Option<Plan>, Stop>),
}

/// A solution being played.
struct Show {
    moves: VecDeque<String>,
    next: Instant,
    held: bool,
}

/// What holds for all games of a player.
#[derive(Debug, Clone)]
pub struct House {
    /// Whether a position that can no longer be won is told at once.
    pub tells_lost: bool,
    /// The name that scores are kept under.
    pub player: Option<String>,
}

/// A game in play.
pub struct Table {
    pub session: Session,
    /// What the arrow keys have chosen.
    pub cursor: Option<Spot>,
    /// The digits typed so far.
    pub typed: String,
    /// What is to be told.
    pub message: String,
    /// The move of the last hint, while the position is the same.
    pub hint: Option<String>,
    /// The least the game can cost, when that is known.
    pub par: Option<Par>,
    /// The best score of the same puzzle and size, if there is one.
    pub best: Option<u64>,
    /// What is to be reached, where that is not the usual goal.
    pub goal: Option<View>,
    /// Whether it is known that the game can no longer be won.
    pub lost: bool,
    /// What can be touched on the screen.
    pub hits: Hits,
    /// How hard the board was asked to be, by which scores are kept.
    difficulty: Option<String>,
    house: House,
    /// Whether the game can still be won, being found out.
    in_doubt: Option<Job<Result<bool, Stop>>>,
    request: Request,
    keep: Keep,
    asked: Option<Job<Answer>>,
    finding_par: Option<Job<Result<Option<Par>, Stop>>>,
    show: Option<Show>,
    pace: Duration,
    recorded: bool,
}

/// The move that choosing a cell makes, where nothing is to be written in it.
fn whole_move(cell: &Cell) -> Option<String> {
    cell.play.clone().filter(|play| !play.ends_with('='))
}

impl Table {
    pub fn new(
        session: Session,
        difficulty: Option<String>,
        house: &House,
        request: &Request,
        keep: &Keep,
    ) -> Self {
        let mut request = request.clone();
        request.settings.limits.time = Some(PATIENCE);
        let view = session.snapshot().view;
        let adviser = session.adviser();
        let ask = request.clone();
        let recorded = session.status() == Status::Won;
        let mut table = Self {
            cursor: view.as_ref().and_then(cursor::first),
            typed: String::new(),
            message: String::new(),
            hint: None,
            par: None,
            best: None,
            goal: session.instance().game().unusual_goal(),
            lost: false,
            hits: Vec::new(),
            difficulty,
            house: house.clone(),
            in_doubt: None,
            request,
            keep: keep.clone(),
            asked: None,
            // Also warms up the tables that hints need.
            finding_par: Some(Job::start(move |cancel| adviser.par(&ask, cancel))),
            show: None,
            pace: Duration::from_millis(200),
            recorded,
            session,
        };
        let (best, trouble) = table.keep.best(&table.kind());
        table.best = best.first().map(|best| best.score);
        table.message = trouble.unwrap_or_default();
        table.save();
        table.doubt();
        table
    }

    fn puzzle(&self) -> &'static dyn Puzzle {
        self.session.instance().puzzle()
    }

    /// The puzzle, the size and how hard it was asked to be, by which scores are kept.
    pub fn kind(&self) -> String {
        let difficulty = self.difficulty.as_ref().map(|it| format!(" {it}")).unwrap_or_default();
        format!("{} {}{difficulty}", self.puzzle().info().name, self.size())
    }

    /// How large it is, which every id begins with.
    pub fn size(&self) -> Size {
        let id = self.session.instance().id();
        let size = id.split(':').nth(1).and_then(|size| size.parse().ok());
        size.expect("an id begins with a size")
    }

    fn view(&self) -> Option<View> {
        self.session.snapshot().view
    }

    fn save(&mut self) {
        if let Err(error) = self.keep.save(&self.session) {
            self.message = format!("the game cannot be saved: {error}");
        }
    }

    /// After every change of the position.
    fn changed(&mut self) {
        self.hint = None;
        self.asked = None;
        self.typed.clear();
        self.message.clear();
        match self.session.status() {
            Status::Playing => {}
            Status::Lost { reason } => self.message = words::sentence(&format!("{reason}: u takes back")),
            Status::Won => self.won(),
        }
        self.save();
        self.doubt();
    }

    /// Finds out whether the game can still be won, if the player wants to be told.
    fn doubt(&mut self) {
        (self.in_doubt, self.lost) = (None, false);
        if self.house.tells_lost && self.show.is_none() && self.session.status() == Status::Playing {
            let (adviser, request) = (self.session.adviser(), self.request.clone());
            self.in_doubt = Some(Job::start(move |cancel| adviser.can_be_won(&request, cancel)));
        }
    }

    /// Changes whether a lost game is told at once; says what holds from now on.
    pub fn change_telling(&mut self) -> bool {
        self.house.tells_lost = !self.house.tells_lost;
        self.message = words::telling(self.house.tells_lost).into();
        self.doubt();
        self.house.tells_lost
    }

    fn won(&mut self) {
        let snapshot = self.session.snapshot();
        self.message = words::won(&snapshot);
        if std::mem::replace(&mut self.recorded, true) {
            return;
        }
        let Some(score) = Score::of(&snapshot) else { return };
        let score = Score { name: self.house.player.clone(), ..score };
        match self.keep.record(&self.kind(), score) {
            Ok(place) => self.message = format!("{}{}", self.message, words::place(place)),
            Err(trouble) => self.message = trouble,
        }
    }

    fn play(&mut self, text: &str) {
        match self.session.play(text) {
            Ok(()) => self.changed(),
            Err(IllegalMove(reason)) => {
                self.typed.clear();
                self.message = words::sentence(&reason);
            }
        }
    }

    /// What the player does ends the show of a solution.
    fn takes_over(&mut self) {
        self.show = None;
    }

    pub fn arrow(&mut self, arrow: Arrow) {
        self.takes_over();
        let Some(spot) = self.cursor else { return self.play(arrow.letter()) };
        self.enter_typed();
        if let Some(view) = self.view() {
            self.cursor = Some(cursor::moved(&view, spot, arrow));
        }
    }

    pub fn digit(&mut self, digit: char) {
        self.takes_over();
        let Some(view) = self.view() else { return };
        let most = view.cells.len();
        if matches!(self.cursor, Some(Spot::Arc(_))) {
            return;
        }
        self.typed.push(digit);
        if self.typed.len() >= most.to_string().len() {
            self.enter_typed();
        }
    }

    /// Plays the number that was typed, if one was.
    fn enter_typed(&mut self) {
        if self.typed.is_empty() {
            return;
        }
        let number = std::mem::take(&mut self.typed);
        match self.chosen_cell() {
            None => self.play(&number),
            Some((place, kind)) => {
                if kind == Kind::Placed {
                    self.play(&place);
                }
                self.play(&format!("{place}{number}"));
            }
        }
    }

    /// The chosen cell's beginning of a move, and what it is.
    fn chosen_cell(&self) -> Option<(String, Kind)> {
        let Some(Spot::Cell(cell)) = self.cursor else { return None };
        let view = self.view().filter(View::takes_numbers)?;
        let place = format!("{},{}=", cell / view.cols + 1, cell % view.cols + 1);
        Some((place, view.cells[cell].kind))
    }

    pub fn enter(&mut self) {
        self.takes_over();
        match self.cursor {
            Some(Spot::Arc(arc)) => {
                if let Some(play) = self.view().map(|view| view.arcs[arc].play.clone()) {
                    self.play(&play);
                }
            }
            Some(Spot::Cell(cell)) if self.typed.is_empty() => {
                if let Some(play) = self.view().and_then(|view| whole_move(&view.cells[cell])) {
                    self.play(&play);
                }
            }
            _ => self.enter_typed(),
        }
    }

    /// Takes a digit back, or the number in the chosen cell.
    pub fn backspace(&mut self) {
        self.takes_over();
        if self.typed.pop().is_none()
            && let Some((place, Kind::Placed)) = self.chosen_cell()
        {
            self.play(&place);
        }
    }

    pub fn touch(&mut self, spot: Spot) {
        self.takes_over();
        let Some(view) = self.view() else { return };
        match spot {
            Spot::Arc(arc) => {
                self.cursor = Some(spot);
                self.play(&view.arcs[arc].play);
            }
            Spot::Cell(cell) if self.cursor.is_some() => {
                self.enter_typed();
                self.cursor = Some(spot);
                match whole_move(&view.cells[cell]) {
                    Some(play) => self.play(&play),
                    None if view.cells[cell].play.is_some() => self.message = "Type a number.".into(),
                    None => self.message.clear(),
                }
            }
            Spot::Cell(cell) => {
                if let Some(play) = &view.cells[cell].play {
                    self.play(play);
                }
            }
        }
    }

    pub fn undo(&mut self) {
        self.takes_over();
        let done = self.session.undo();
        self.after(done, "There is nothing to take back.");
    }

    pub fn redo(&mut self) {
        self.takes_over();
        let done = self.session.redo();
        self.after(done, "There is nothing to make again.");
    }

    pub fn restart(&mut self) {
        self.takes_over();
        self.session.restart();
        self.changed();
    }

    fn after(&mut self, done: bool, otherwise: &str) {
        if done { self.changed() } else { self.message = otherwise.into() }
    }

    pub fn pause(&mut self) {
        if self.session.is_paused() {
            self.session.resume();
            self.message.clear();
        } else {
            self.takes_over();
            self.session.pause();
            self.message = words::PAUSED.into();
        }
        self.save();
    }

    /// Asks whether a game that was begun is to be left; says whether it may be: there is nothing to lose, or the
    /// question still stands and was answered.
    pub fn may_be_left(&mut self) -> bool {
        let begun = self.session.status() != Status::Won && !self.session.moves().is_empty();
        let asked = std::mem::replace(&mut self.message, words::ANOTHER.into()) == words::ANOTHER;
        asked || !begun
    }

    /// Asks the solver something, in the background.
    fn ask(&mut self, doing: &str, work: impl FnOnce(&Self) -> Job<Answer>) {
        self.takes_over();
        self.asked = Some(work(self));
        self.message = doing.into();
    }

    pub fn ask_hint(&mut self) {
        self.ask("Looking for a hint …", |table| {
            let (adviser, request) = (table.session.adviser(), table.request.clone());
            Job::start(move |cancel| Answer::Hint(adviser.hint(&request, cancel)))
        });
    }

    pub fn ask_check(&mut self) {
        self.ask("Checking …", |table| {
            let (adviser, request) = (table.session.adviser(), table.request.clone());
            Job::start(move |cancel| Answer::Check(adviser.check(&request, cancel)))
        });
    }

    /// Asks for the solution, to be played; if it is being played, holds it.
    pub fn ask_solution(&mut self) {
        if self.hold() {
            return;
        }
        self.ask("Solving …", |table| {
            let (adviser, request) = (table.session.adviser(), table.request.clone());
            Job::start(move |cancel| Answer::Plan(adviser.plan(&request, cancel)))
        });
    }

    /// Holds a solution being played, or goes on with it.
    pub fn hold(&mut self) -> bool {
        let Some(show) = &mut self.show else { return false };
        show.held = !show.held;
        self.message = words::show(show.held);
        true
    }

    /// Plays solutions slower or faster.
    pub fn change_pace(&mut self, faster: bool) {
        let pace = if faster { self.pace / 2 } else { self.pace * 2 };
        self.pace = pace.clamp(PACES[1], PACES[0]);
    }

    /// Goes on with whatever is under way.
    pub fn tick(&mut self) {
        if let Some(job) = &self.finding_par {
            match job.state() {
                State::Working => {}
                State::Done(par) => {
                    self.par = par.ok().flatten();
                    self.finding_par = None;
                }
                State::Failed => self.finding_par = None,
            }
        }
        if let Some(job) = &self.in_doubt {
            match job.state() {
                State::Working => {}
                State::Done(answer) => {
                    self.in_doubt = None;
                    if answer == Ok(false) {
                        self.lost = true;
                        self.message = words::LOST.into();
                    }
                }
                State::Failed => self.in_doubt = None,
            }
        }
        if let Some(job) = &self.asked {
            match job.state() {
                State::Working => {}
                State::Done(answer) => {
                    self.asked = None;
                    self.answered(answer);
                }
                State::Failed => {
                    self.asked = None;
                    self.message = "The solver has failed. That is a mistake in novelo.".into();
                }
            }
        }
        self.go_on();
    }

    fn answered(&mut self, answer: Answer) {
        match answer {
            Answer::Hint(hint) => {
                self.session.take(&hint);
                self.message = words::hint(&hint, self.puzzle());
                self.hint = if let Hint::Play { play, .. } = hint { Some(play) } else { None };
                self.save();
            }
            Answer::Check(Ok(check)) => {
                self.session.mark(&check);
                self.message = format!("{} {}", words::sentence(&check.words), words::FREE);
            }
            Answer::Plan(Ok(Some(plan))) => {
                self.session.give_up(&plan);
                self.changed();
                self.message = words::show(false);
                self.show = Some(Show { moves: plan.moves.into(), next: Instant::now(), held: false });
            }
            Answer::Plan(Ok(None)) => self.message = words::hint(&Hint::Hopeless, self.puzzle()),
            Answer::Check(Err(stop)) | Answer::Plan(Err(stop)) => {
                self.message = words::hint(&Hint::Unknown { stop: stop.name() }, self.puzzle());
            }
        }
    }

    /// The next move of a solution being played, when its time has come.
    fn go_on(&mut self) {
        let Some(show) = self.show.as_mut().filter(|show| !show.held && show.next <= Instant::now()) else {
            return;
        };
        show.next = Instant::now() + self.pace;
        let Some(play) = show.moves.pop_front() else {
            self.show = None;
            return;
        };
        self.play(&play);
        if self.session.status() == Status::Playing {
            self.message = words::show(false);
        }
    }
}
