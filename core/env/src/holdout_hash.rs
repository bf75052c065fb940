//! Task digest: the content by which tasks are held out from training.

/// The 64-bit FNV-1a digest of a task's content: the same on every machine and in every version, as which tasks
/// are held out depends on it. Its high bits are the ones to divide tasks by; the lowest only tells whether the
/// number of odd bytes is odd.
pub(crate) fn content_digest(content: &[u8]) -> u64 {
    content.iter().fold(0xcbf2_9ce4_8422_2325, |digest, &byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::content_digest;

    #[test]
    fn digests_are_those_of_the_definition() {
        // Vectors of the definition, http://www.isthe.com/chongo/tech/comp/fnv/.
        assert_eq!(content_digest(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(content_digest(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(content_digest(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
