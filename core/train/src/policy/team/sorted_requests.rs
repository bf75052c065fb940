//! Requests of a team, sorted by the policy that has to answer.

use std::collections::VecDeque;

use crate::policy::requests::{Request, Requests};
use crate::policy::sampling::SampledToken;

/// Requests, sorted by the policy that has to answer.
pub(super) struct SortedRequests<'a> {
    outer: &'a mut dyn Requests,
    waiting: Vec<VecDeque<Request>>,
    /// The policy that answers now.
    member: usize,
    is_over: bool,
    /// Requests for a policy that there is not.
    pub(super) is_lost: bool,
}

impl<'a> SortedRequests<'a> {
    /// Requests of so many policies.
    pub(super) fn new(outer: &'a mut dyn Requests, policies: usize) -> Self {
        let waiting = vec![VecDeque::new(); policies];
        Self { outer, waiting, member: 0, is_over: false, is_lost: false }
    }

    /// The next policy for which something waits; from now on, it is the one that answers. None once all is answered,
    /// or nothing is to be answered any more.
    pub(super) fn next_member(&mut self) -> Option<usize> {
        self.pull();
        let next = self.waiting.iter().position(|waiting| !waiting.is_empty());
        self.member = next.filter(|_| !self.is_over && !self.is_lost && self.goes_on())?;
        Some(self.member)
    }

    fn pull(&mut self) {
        while let Some(mut request) = self.outer.next() {
            let member = request.prompt.first().map(|&first| first as usize);
            match member.and_then(|member| self.waiting.get_mut(member)) {
                Some(waiting) => {
                    request.prompt.remove(0);
                    waiting.push_back(request);
                }
                None => self.is_lost = true,
            }
        }
    }
}

impl Requests for SortedRequests<'_> {
    fn waiting(&self) -> usize {
        // Those that are yet to be sorted may all be for this policy.
        self.waiting[self.member].len() + self.outer.waiting()
    }

    fn next(&mut self) -> Option<Request> {
        self.pull();
        self.waiting[self.member].pop_front()
    }

    fn ends(&mut self, id: usize, token: u32) -> bool {
        self.outer.ends(id, token)
    }

    fn goes_on(&mut self) -> bool {
        self.outer.goes_on()
    }

    fn take(&mut self, mut request: Request, response: Vec<SampledToken>) -> bool {
        request.prompt.insert(0, self.member as u32);
        self.is_over |= !self.outer.take(request, response);
        !self.is_over
    }
}
