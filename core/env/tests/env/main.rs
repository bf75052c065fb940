//! Environments as their users see them.

mod alfworld_generated;
mod alfworld_properties;
mod alfworld_recorded;
mod alfworld_solver;
mod alfworld_suite;
mod alfworld_workshop;
mod chores;
mod oracle;
mod workshop;
