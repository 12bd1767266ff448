use super::*;
use crate::{
    digest::Sha256Digest,
    pki::{PathError, TrustAnchor, Usage},
    testing::{anchors, authority, issued, now, random},
    time::UnixTime,
    tsp::{TimeStampAuthority, Token, TokenError},
};

/// An authority under the root `Example` whose certificate is valid from one day to another, counted from today.
fn stamper(from: u32, until: u32) -> TimeStampAuthority {
    let identity = issued(&authority("Example"), Usage::TimeStamping, day(from), day(until));
    TimeStampAuthority::new(identity, None)
}

/// Without a fraction of a second, which certificates do not have.
fn day(days: u32) -> UnixTime {
    UnixTime::from_millis(now().as_millis() / 1000 * 1000).unwrap().plus_days(days)
}

fn files(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|number| format!("certificate {number}").into_bytes()).collect()
}

/// The records of these files under one time stamp.
fn records(files: &[Vec<u8>], stamper: &TimeStampAuthority, time: UnixTime) -> Vec<EvidenceRecord> {
    let hashes: Vec<_> = files.iter().map(Sha256Digest::of).collect();
    let token = stamper.stamp(&tree::root(&hashes).unwrap(), random("serial"), time).unwrap();
    let record = |(index, hash)| {
        let path = tree::path(&hashes, index).unwrap();
        EvidenceRecord::new(ArchiveTimeStamp::new(hash, &path, token.clone()).unwrap())
    };
    hashes.iter().enumerate().map(record).collect()
}

fn newest(record: &EvidenceRecord) -> Sha256Digest {
    record.chains.last().and_then(|chain| chain.last()).unwrap().token.sha256()
}

/// Renews records by one time stamp for all.
fn renew(records: &mut [EvidenceRecord], stamper: &TimeStampAuthority, time: UnixTime) {
    let hashes: Vec<_> = records.iter().map(newest).collect();
    let token = stamper.stamp(&tree::root(&hashes).unwrap(), random("renewal"), time).unwrap();
    for (index, record) in records.iter_mut().enumerate() {
        let path = tree::path(&hashes, index).unwrap();
        record.append(ArchiveTimeStamp::new(&hashes[index], &path, token.clone()).unwrap());
    }
}

/// A token over a SHA-512, from a request that was written by hand: this crate requests SHA-256 only.
fn stamp_sha_512(stamper: &TimeStampAuthority, hash: &[u8], time: UnixTime) -> Token {
    let head = [0x30, 0x57, 0x02, 0x01, 0x01, 0x30, 0x4F, 0x30, 0x0B, 0x06, 0x09];
    let sha_512 = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03];
    let with_certificates = [0x01, 0x01, 0xFF];
    let request = [head.as_slice(), &sha_512, &[0x04, 0x40], hash, &with_certificates].concat();
    let answer = stamper.respond(&request, random("serial"), time).unwrap();
    Token::from_foreign_answer(&answer).unwrap()
}

fn check(record: &EvidenceRecord, file: &[u8], now: UnixTime) -> Result<VerifiedEvidence, EvidenceError> {
    check_with(record, file, now, &[])
}

fn check_with(
    record: &EvidenceRecord,
    file: &[u8],
    now: UnixTime,
    too_weak_from: &[(HashAlgorithm, UnixTime)],
) -> Result<VerifiedEvidence, EvidenceError> {
    let time_roots: Vec<TrustAnchor> = anchors(&authority("Example"));
    record.verify(file, &EvidenceExpectations { time_roots: &time_roots, now, too_weak_from })
}

/// The other file is never the partner in the tree: its hash is in the record, which therefore proves it too.
#[test]
fn each_file_of_a_tree_has_a_record_that_proves_it_and_not_another() {
    let stamper = stamper(0, 10);
    for count in [1, 2, 3, 5, 8] {
        let files = files(count);
        let records = records(&files, &stamper, day(1));
        for (index, record) in records.iter().enumerate() {
            let read = EvidenceRecord::from_der(&record.to_der()).unwrap();
            assert_eq!(&read, record);
            let proven = check(&read, &files[index], day(2)).unwrap();
            assert_eq!((proven.time(), proven.renew_before(), proven.stamps.len()), (day(1), day(10), 1));
            let other = files.get(index ^ 2).map_or(b"another".as_slice(), Vec::as_slice);
            let error = check(&read, other, day(2)).unwrap_err();
            assert_eq!(error, EvidenceError::OtherFile, "{index} of {count}");
            assert!(error.is_tampering());
        }
    }
}

#[test]
fn a_record_holds_as_long_as_each_time_stamp_is_renewed_in_time() {
    let files = files(3);
    let mut records = records(&files, &stamper(0, 10), day(1));
    assert_eq!(check(&records[2], &files[2], day(11)), Err(EvidenceError::Expired(day(10))));
    renew(&mut records, &stamper(5, 20), day(9));
    renew(&mut records, &stamper(15, 30), day(19));
    for (record, file) in records.iter().zip(&files) {
        let read = EvidenceRecord::from_der(&record.to_der()).unwrap();
        let proven = check(&read, file, day(29)).unwrap();
        assert_eq!((proven.time(), proven.renew_before(), proven.stamps.len()), (day(1), day(30), 3));
        let error = check(&read, file, day(31)).unwrap_err();
        assert_eq!(error, EvidenceError::Expired(day(30)));
        assert!(!error.is_tampering());
    }
    renew(&mut records, &stamper(25, 40), day(31));
    let late = EvidenceError::Late { number: 4, expired: day(30) };
    assert_eq!(check(&records[0], &files[0], day(32)), Err(late));
}

#[test]
fn time_stamps_are_in_order_and_each_covers_the_one_before_it() {
    let files = files(2);
    let stamper = stamper(0, 30);
    let mut earlier = records(&files, &stamper, day(5));
    renew(&mut earlier, &stamper, day(4));
    let error = check(&earlier[0], &files[0], day(6)).unwrap_err();
    assert_eq!(error, EvidenceError::Order(2));
    assert!(error.is_tampering());

    let mut renewed = records(&files, &stamper, day(1));
    renew(&mut renewed, &stamper, day(2));
    renew(&mut renewed, &stamper, day(3));
    let mut swapped = renewed[0].clone();
    swapped.chains[0].swap(1, 2);
    assert_eq!(check(&swapped, &files[0], day(4)), Err(EvidenceError::NotCovered(2)));
    let mut shortened = renewed[0].clone();
    shortened.chains[0].remove(1);
    assert_eq!(check(&shortened, &files[0], day(4)), Err(EvidenceError::NotCovered(2)));
    let future = EvidenceError::Future { number: 3, time: day(3) };
    assert_eq!(check(&renewed[0], &files[0], day(2)), Err(future));
}

#[test]
fn a_new_chain_takes_over_before_a_hash_becomes_too_weak() {
    let files = files(3);
    let (sha_256_ends, sha_512_ends) = ((HashAlgorithm::Sha256, day(10)), (HashAlgorithm::Sha512, day(50)));
    let mut record = records(&files, &stamper(0, 20), day(1)).remove(1);
    let weak = EvidenceError::WeakHash { number: 1, algorithm: HashAlgorithm::Sha256, from: day(10) };
    assert_eq!(check_with(&record, &files[1], day(11), &[sha_256_ends]), Err(weak.clone()));
    check_with(&record, &files[1], day(9), &[sha_256_ends]).unwrap();

    let hash = record.hash_to_renew(HashAlgorithm::Sha512, &files[1]);
    let mut too_late = record.clone();
    let token = stamp_sha_512(&stamper(5, 60), &hash, day(12));
    too_late.start_chain(ArchiveTimeStamp::of_one(token).unwrap());
    assert_eq!(check_with(&too_late, &files[1], day(13), &[sha_256_ends]), Err(weak));

    let token = stamp_sha_512(&stamper(5, 60), &hash, day(9));
    record.start_chain(ArchiveTimeStamp::of_one(token).unwrap());
    let read = EvidenceRecord::from_der(&record.to_der()).unwrap();
    let proven = check_with(&read, &files[1], day(40), &[sha_256_ends, sha_512_ends]).unwrap();
    assert_eq!((proven.time(), proven.renew_before()), (day(1), day(60)));
    let end = EvidenceError::WeakHash { number: 2, algorithm: HashAlgorithm::Sha512, from: day(50) };
    assert_eq!(check_with(&read, &files[1], day(51), &[sha_256_ends, sha_512_ends]), Err(end));
    assert_eq!(check(&read, &files[2], day(40)), Err(EvidenceError::OtherFile));

    // A chain that covers the file only, and not the record before it.
    let mut apart = read;
    apart.chains.truncate(1);
    let token = stamp_sha_512(&stamper(5, 60), &HashAlgorithm::Sha512.digest(&[&files[1]]), day(9));
    apart.start_chain(ArchiveTimeStamp::of_one(token).unwrap());
    assert_eq!(check(&apart, &files[1], day(10)), Err(EvidenceError::NotCovered(2)));
}

#[test]
fn every_flipped_byte_is_detected_as_tampering() {
    let files = files(3);
    let stamper = stamper(0, 30);
    let mut records = records(&files, &stamper, day(1));
    renew(&mut records, &stamper, day(2));
    let der = records[1].to_der();
    check(&EvidenceRecord::from_der(&der).unwrap(), &files[1], day(3)).unwrap();
    for position in 0..der.len() {
        let mut changed = der.clone();
        changed[position] ^= [0x01, 0x20, 0x80][position % 3];
        let result = EvidenceRecord::from_der(&changed).and_then(|record| check(&record, &files[1], day(3)));
        let error = result.expect_err(&format!("byte {position}"));
        assert!(error.is_tampering(), "byte {position}: {error}");
    }
    for length in 0..der.len() {
        assert!(EvidenceRecord::from_der(&der[..length]).is_err(), "{length}");
    }
    assert!(EvidenceRecord::from_der(&[der.as_slice(), b"\0"].concat()).is_err());
    assert_eq!(EvidenceRecord::from_der(&vec![0x30; MAX_RECORD + 1]), Err(EvidenceError::TooLarge(MAX_RECORD + 1)));
}

#[test]
fn forms_that_programs_read_differently_or_that_nothing_covers_are_rejected() {
    let record = records(&files(2), &stamper(0, 10), day(1)).remove(0);
    let hash = record.chains[0][0].lists[0][0].clone();
    let with = |change: &dyn Fn(&mut ArchiveTimeStamp)| {
        let mut changed = record.clone();
        change(&mut changed.chains[0][0]);
        EvidenceRecord::from_der(&changed.to_der()).unwrap_err().to_string()
    };
    let one = with(&|stamp| stamp.lists[0].truncate(1));
    assert!(one.contains("only one hash"), "{one}");
    let empty = with(&|stamp| stamp.lists.push(Vec::new()));
    assert!(empty.contains("is empty"), "{empty}");
    let short = with(&|stamp| stamp.lists.push(vec![hash[1..].to_vec()]));
    assert!(short.contains("the length of its algorithm"), "{short}");
    let other = with(&|stamp| stamp.algorithm = HashAlgorithm::Sha512);
    assert!(other.contains("the hash algorithm of its tree"), "{other}");
    let none = EvidenceRecord { chains: vec![Vec::new()] };
    assert!(matches!(EvidenceRecord::from_der(&none.to_der()), Err(EvidenceError::Malformed(_))));

    // An empty `cryptoInfos` between the algorithms and the chains: the outer length has two bytes.
    let der = record.to_der();
    let at = 4 + 3 + 2 + 2 + 11;
    let mut added = [&der[..at], &[0xA0, 0x00], &der[at..]].concat();
    let length = u16::try_from(added.len() - 4).unwrap();
    added[2..4].copy_from_slice(&length.to_be_bytes());
    assert!(matches!(EvidenceRecord::from_der(&added), Err(EvidenceError::Malformed(_))));
}

#[test]
fn an_authority_that_is_not_trusted_is_distinguished_from_a_change() {
    let files = files(2);
    let record = records(&files, &stamper(0, 10), day(1)).remove(0);
    let roots = anchors(&authority("Other"));
    let expectations = EvidenceExpectations { time_roots: &roots, now: day(2), too_weak_from: &[] };
    let error = record.verify(&files[0], &expectations).unwrap_err();
    let EvidenceError::TimeStamp { number: 1, error: TokenError::Path(PathError::Untrusted { .. }) } = &error else {
        panic!("{error}")
    };
    assert!(!error.is_tampering());
}
