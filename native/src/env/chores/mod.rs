//! A small household.
