//! Hierarchy-of-groups policy optimization.
