//! Enums whose choices have names in addresses and files.

/// Declares an enum by its choices and their names; one more choice may have names of another kind.
macro_rules! named {
    ($(#[$meta:meta])* $kind:ident {
        $($(#[$doc:meta])* $choice:ident = $name:literal,)+
        $(| $(#[$more:meta])* $other:ident($of:ty),)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum $kind {
            $($(#[$doc])* $choice,)+
            $($(#[$more])* $other($of),)?
        }

        impl $kind {
            /// All, in order, but those that have names of another kind.
            pub(crate) const ALL: [Self; [$($name),+].len()] = [$(Self::$choice),+];

            /// Its name.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$choice => $name,)+
                    $(Self::$other(name) => name,)?
                }
            }

            /// What a name stands for.
            pub(crate) fn of_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|own| own.name() == name)
            }
        }
    };
}

pub(crate) use named;
