//! Channel to what plays an environment of one's own, and how it is opened: a program, a server, an object in Python.

use std::fmt::Debug;
use std::time::Duration;

use super::record::ExternalInput;

/// Lines to and from what plays.
pub trait Channel: Send {
    /// Sends the line of a request.
    fn send(&mut self, line: Vec<u8>);

    /// The line of the next answer; `None` if there is none within that time.
    ///
    /// # Errors
    /// What plays is of no more use, and why.
    fn receive(&mut self, within: Duration) -> Result<Option<Vec<u8>>, String>;

    /// Ends what plays at once.
    fn kill(&mut self) {}
}

/// Opens channels.
pub trait Connector: Debug + Send + Sync {
    /// Another channel.
    ///
    /// # Errors
    /// There is nothing to talk to.
    fn connect(&self) -> Result<Box<dyn Channel>, String>;

    /// What a run records, so that nobody resumes with another environment unawares.
    ///
    /// # Errors
    /// Its files cannot be read.
    fn record(&self) -> anyhow::Result<ExternalInput>;

    /// Channels that are of use, at most.
    fn most_channels(&self) -> usize {
        usize::MAX
    }
}
