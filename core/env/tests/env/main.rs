//! Environments as their users see them.

#[cfg(feature = "files")]
mod alfworld_data;
mod alfworld_generated;
mod alfworld_properties;
mod alfworld_recorded;
mod alfworld_solver;
mod alfworld_suite;
mod alfworld_workshop;
mod certain;
mod chores;
mod contract;
mod countdown;
mod generators;
mod gridworld;
mod guide;
mod library;
mod oracle;
#[cfg(feature = "files")]
mod panels;
#[path = "../../../tests/reference_data/mod.rs"]
mod reference_data;
mod sokoban;
mod webshop;
mod workshop;
