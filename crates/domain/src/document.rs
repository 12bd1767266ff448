//! The document types and fields that the built-in analysis knows (decisions 13). A plugin may bring others.

/// The document types that the built-in detector distinguishes and a step can accept.
pub const TYPES: [&str; 12] = [
    "IDENTITY_CARD",
    "PASSPORT",
    "RESIDENCE_PERMIT",
    "DRIVING_LICENCE",
    "VEHICLE_REGISTRATION",
    "BANK_DETAILS",
    "PAYSLIP",
    "TAX_NOTICE",
    "INVOICE",
    "PROOF_OF_ADDRESS",
    "COMPANY_REGISTRATION",
    "INSURANCE_CERTIFICATE",
];

/// A readable document of an unknown type.
pub const TYPE_OTHER: &str = "OTHER";

/// A document that could not be read.
pub const TYPE_UNKNOWN: &str = "UNKNOWN";

/// The fields that the built-in analysis reads from documents, as `fieldCode` writes them.
pub const FIELD_CODES: [&str; 20] = [
    "lastName",
    "firstName",
    "birthDate",
    "documentNumber",
    "expiryDate",
    "nationality",
    "address",
    "postCode",
    "city",
    "iban",
    "bic",
    "accountHolder",
    "issuer",
    "invoiceNumber",
    "issueDate",
    "totalAmount",
    "netAmount",
    "registrationNumber",
    "companyName",
    "policyNumber",
];
