//! Team policy as bytes: weights and gradients of all policies.

use serde_bytes::ByteBuf;

use super::TeamPolicy;
use crate::policy::PolicyError;
use crate::policy::remote::{PortablePolicy, decode, encode};

impl<P: PortablePolicy> PortablePolicy for TeamPolicy<P> {
    fn write_weights(&self) -> Result<Vec<u8>, PolicyError> {
        let weights: Result<Vec<ByteBuf>, _> =
            self.members.iter().map(|member| member.write_weights().map(ByteBuf::from)).collect();
        encode(&weights?)
    }

    fn with_weights(&self, bytes: &[u8]) -> Result<Self, PolicyError> {
        let weights: Vec<ByteBuf> = decode(bytes)?;
        let weights = self.all_of(weights)?;
        let members = self.members.iter().zip(&weights);
        let members: Result<Vec<P>, _> =
            members.map(|(member, weights)| member.with_weights(weights)).collect();
        Ok(self.with(members?))
    }

    fn write_gradient(gradient: Self::Gradient) -> Result<Vec<u8>, PolicyError> {
        let write = |own: Option<_>| own.map(P::write_gradient).transpose();
        let gradients: Result<Vec<Option<Vec<u8>>>, _> = gradient.into_iter().map(write).collect();
        let gradients = gradients?.into_iter().map(|own| own.map(ByteBuf::from));
        encode(&gradients.collect::<Vec<_>>())
    }

    fn read_gradient(&self, bytes: &[u8]) -> Result<Self::Gradient, PolicyError> {
        let gradients: Vec<Option<ByteBuf>> = decode(bytes)?;
        let gradients = self.all_of(gradients)?;
        let read = |(member, own): (&P, &Option<ByteBuf>)| {
            own.as_ref().map(|own| member.read_gradient(own)).transpose()
        };
        self.members.iter().zip(&gradients).map(read).collect()
    }
}

impl<P> TeamPolicy<P> {
    /// What is of every policy, if it is of as many as there are.
    fn all_of<T>(&self, values: Vec<T>) -> Result<Vec<T>, PolicyError> {
        let (found, known) = (values.len(), self.members.len());
        if found == known {
            return Ok(values);
        }
        Err(PolicyError::Workers(format!("it is of {found} policies, and the team has {known}")))
    }
}
