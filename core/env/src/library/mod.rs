//! `library`: questions of two hops, which a team answers from a collection of facts that it searches.
//!
//! Source of the game: the search team of Dr. MAS (arXiv 2602.08847); collections, names and questions are our own.
//!
//! # Collections
//! About a hundred facts of at most eight words about people, what they own, wrote and keep, where they live and work,
//! who taught them, and where things and buildings are. In a collection, a name has at most one fact that leads from it
//! by a relation, so that a question has one answer: `Name the town where the owner of the blue lamp lives.` asks for
//! where `Ada Stone owns the blue lamp.` and then `Ada Stone lives in North Hill.` lead to.
//!
//! A search finds the two facts that match best by BM25 ([`crate::search`]) among those that were not found yet, so that
//! the same search again finds more. Every question can be answered by who searches for the name in it until it is
//! known where that leads, and then for the name that it leads to.
//!
//! # Rounds
//! An episode has at most four. In each of the first three, the verifier says whether enough is known: `no`, and the
//! searcher searches, which ends the round; `yes`, and the answerer answers, which ends the episode. In the last round
//! the answerer has to answer. The right answer earns the reward of success, any other nothing. All see the question
//! and all that was found. One agent (`agents = "one"`) searches or answers in every round, and answers in the last.
//!
//! # Actions
//! Listed: `yes` and `no`; `search NAME` and `answer NAME` with every name in the question and in what was found. Free:
//! whoever searches or answers writes any text (one agent writes `search` or `answer` before it), and answers are
//! compared as SQuAD compares them: without case, articles, punctuation and superfluous white space. An empty text is no
//! action.
//!
//! # Splits
//! Training and seen tasks have the same collections; one question in four, by the digest of its words, is held out from
//! training in all of them, and seen tasks ask these alone. Unseen tasks are about other collections. Names are pairs of
//! words, and one pair in four, by its digest, occurs in unseen collections alone: every word is known from training,
//! and no name.

mod answer;
mod collection;
mod entry;
mod environment;
mod names;
mod question;
mod relation;
mod rules;
mod scripted_player;
mod settings;
mod suite;

pub(crate) use self::entry::ENTRY;
pub use self::scripted_player::ScriptedReader;
pub use self::settings::LibrarySettings;
pub use self::suite::Library;

/// Rounds of an episode. The last is for an answer.
const ROUNDS: usize = 4;
