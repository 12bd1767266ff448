//! What witnesses of the log of seals have seen, in all languages. `{}` is replaced by a value, in order.

use super::{Ground, Language, german};

#[derive(Debug)]
pub(crate) struct WitnessWords {
    pub(crate) seen: &'static str,
    pub(crate) seen_ground: Ground,
    pub(crate) unseen: &'static str,
    pub(crate) unseen_ground: Ground,
    /// The label of a fact.
    pub(crate) witnesses: &'static str,
    pub(crate) others: &'static str,
}

const ENGLISH: WitnessWords = WitnessWords {
    seen: "The log of seals with this seal in it was seen by {} of the {} witnesses that are trusted here: {}. The operator cannot show \
           them another log, and they have seen that it only grew.",
    seen_ground: Ground {
        why: "Each of these witnesses signed the root of the log, after it had checked that this log starts with the one it had seen before.",
        how: "Get the keys of the witnesses from their operators, and the newest checkpoint of the log from a witness or a monitor.",
    },
    unseen: "That everyone is shown the same log of seals: none of the {} witnesses that are trusted here has seen it with this seal in it.",
    unseen_ground: Ground {
        why: "Without a trusted witness, only the operator signs the log, and the operator could keep two of them.",
        how: "Get a later copy of the certificate, name the keys of witnesses that you trust, or ask a monitor of the log.",
    },
    witnesses: "Seen by",
    others: "{} others, which are not trusted here",
};

const FRENCH: WitnessWords = WitnessWords {
    seen: "Le journal des scellés, avec ce scellé, a été vu par {} des {} témoins reconnus ici\u{a0}: {}. L’exploitant ne peut leur montrer \
           un autre journal, et ils ont vu que celui-ci n’a fait que croître.",
    seen_ground: Ground {
        why: "Chacun de ces témoins a signé la racine du journal, après avoir vérifié que ce journal commence par celui qu’il avait déjà vu.",
        how: "Obtenez les clés des témoins de leurs exploitants, et le dernier état du journal d’un témoin ou d’un observateur.",
    },
    unseen: "Que tous voient le même journal des scellés\u{a0}: aucun des {} témoins reconnus ici ne l’a vu avec ce scellé.",
    unseen_ground: Ground {
        why: "Sans témoin reconnu, seul l’exploitant signe le journal, et il pourrait en tenir deux.",
        how: "Obtenez une copie plus récente du certificat, indiquez les clés de témoins que vous reconnaissez, ou interrogez un observateur du journal.",
    },
    witnesses: "Vu par",
    others: "{} autres, non reconnus ici",
};

impl Language {
    pub(crate) const fn witnesses(self) -> &'static WitnessWords {
        match self {
            Self::English => &ENGLISH,
            Self::French => &FRENCH,
            Self::German => &german::WITNESSES,
        }
    }
}
