//! Whether a system lets go of a failure when its cause has gone: what rates say beforehand, and
//! the map of what recovers.
//!
//! Not how it is drawn.

mod condition;
mod judge;
mod map;

pub use condition::{Condition, Outlook, conditions};
pub use judge::{By, Collapsed, Finding, Judgement, WayOut, judge};
pub use map::{Boundary, Cell, Map, Question, Side, map};
