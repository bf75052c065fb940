//! Options with a few named values: one list gives the enum, its text form, its parser and serde.

/// Declares an enum whose values have the same name in code, TOML, JSON and on the command line.
macro_rules! choice {
    (
        $(#[$meta:meta])*
        pub enum $name:ident ($option:literal) {
            $( $(#[$value_meta:meta])* $value:ident => $text:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $( $(#[$value_meta])* #[serde(rename = $text)] $value, )+
        }

        impl $name {
            /// Every value, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// The name used in files and on the command line.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $text),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$value),)+
                    _ => Err($crate::Error::option(
                        $option,
                        format!("`{text}` is unknown: write one of {}", [$($text),+].join(", ")),
                    )),
                }
            }
        }
    };
}

pub(crate) use choice;
