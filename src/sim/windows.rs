//! When something that comes and goes is next there, and for how long: windows at run time.
//!
//! Not what happens meanwhile.

use crate::model::Windows;
use crate::random::{Stream, StreamKey};
use crate::units::{SimDuration, SimTime};

/// How far the windows of an outage, or of a dependency's trouble, are.
#[derive(Debug)]
pub(super) struct WindowsState {
    /// Draws of random times.
    times: Stream,
    /// The window that is next or under way.
    next: usize,
}

impl WindowsState {
    pub(super) fn new(key: StreamKey) -> Self {
        Self {
            times: key.stream(),
            next: 0,
        }
    }

    /// When the next window begins, seen from the end of the one before.
    pub(super) fn start(&mut self, windows: &Windows, now: SimTime) -> Option<SimTime> {
        match windows {
            Windows::Fixed(windows) => windows.get(self.next).map(|(start, _)| *start),
            Windows::Random { up, .. } => Some(now.saturating_add(up.draw(&mut self.times))),
        }
    }

    /// How long the window lasts that begins now.
    pub(super) fn span(&mut self, windows: &Windows) -> SimDuration {
        self.next += 1;
        match windows {
            Windows::Fixed(windows) => windows[self.next - 1].1,
            Windows::Random { down, .. } => down.draw(&mut self.times),
        }
    }
}
