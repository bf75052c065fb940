//! The list of the estimators: one line each gives the name in files, the variant and the type.

/// Declares [`Estimator`](super::Estimator) from the names in files and the types; those after `parts:`
/// are there with the feature of this name.
macro_rules! registry {
    (
        $( $(#[$doc:meta])* $name:literal => $module:ident::$estimator:ident, )+
        parts:
        $( $(#[$of_parts:meta])* $part:literal => $of:ident::$composed:ident, )+
        last:
        $( $(#[$at_last:meta])* $last:literal => $in:ident::$outer:ident, )+
    ) => {
        /// The options of each estimator.
        pub(crate) mod each {
            $(pub use super::$module::$estimator;)+
            $(#[cfg(feature = "parts")] pub use super::$of::$composed;)+
            $(pub use super::$in::$outer;)+
        }

        /// Which estimator, with its options. As JSON: `"name": "hgpo"` beside the options; reading
        /// it refuses what [`Options::validate`] refuses.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Estimator {
            $( $(#[$doc])* $estimator(each::$estimator), )+
            $( $(#[$of_parts])* #[cfg(feature = "parts")] $composed(each::$composed), )+
            $( $(#[$at_last])* $outer(each::$outer), )+
        }

        impl Estimator {
            /// The name of every estimator.
            pub const NAMES: &'static [&'static str] =
                &[$($name,)+ $(#[cfg(feature = "parts")] $part,)+ $($last),+];

            /// Every estimator with its default options.
            #[must_use]
            pub fn all() -> Vec<Self> {
                Vec::from([
                    $(Self::$estimator(each::$estimator::default()),)+
                    $(#[cfg(feature = "parts")] Self::$composed(each::$composed::default()),)+
                    $(Self::$outer(each::$outer::default())),+
                ])
            }

            /// The name in files and on the command line.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$estimator(_) => $name,)+
                    $(#[cfg(feature = "parts")] Self::$composed(_) => $part,)+
                    $(Self::$outer(_) => $last),+
                }
            }

            /// The one place where it is asked which estimator it is.
            pub(crate) fn method(&self) -> &dyn Method {
                match self {
                    $(Self::$estimator(options) => options,)+
                    $(#[cfg(feature = "parts")] Self::$composed(options) => options,)+
                    $(Self::$outer(options) => options),+
                }
            }

            fn method_mut(&mut self) -> &mut dyn Method {
                match self {
                    $(Self::$estimator(options) => options,)+
                    $(#[cfg(feature = "parts")] Self::$composed(options) => options,)+
                    $(Self::$outer(options) => options),+
                }
            }
        }

        /// The options of the estimators.
        const DECLARATIONS: &[&[Declaration]] = &[
            $(<each::$estimator as Described>::DECLARATIONS,)+
            $(#[cfg(feature = "parts")] <each::$composed as Described>::DECLARATIONS,)+
            $(<each::$outer as Described>::DECLARATIONS),+
        ];

        /// What the options of the estimators are about.
        const ABOUT: &[&[(&str, About)]] = &[
            $(<each::$estimator as Described>::ABOUT,)+
            $(#[cfg(feature = "parts")] <each::$composed as Described>::ABOUT,)+
            $(<each::$outer as Described>::ABOUT),+
        ];
    };
}

pub(super) use registry;
