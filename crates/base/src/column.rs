//! Types of the domain as the types of columns.

/// Makes a type with [`Display`](std::fmt::Display) and [`FromStr`](std::str::FromStr) the type of text columns. A text that it rejects is an
/// error, so nothing above the database parses a column.
///
/// A type whose text in the database is another one than `Display` has names two functions: one that returns the text,
/// and one that reads it.
#[macro_export]
macro_rules! text_column {
    ($type:ty, $name:literal) => {
        $crate::text_column!($type, $name, <$type as ToString>::to_string, |text| text.parse().ok());
    };
    ($type:ty, $name:literal, $write:expr, $read:expr) => {
        impl<DB: $crate::sqlx::Database> $crate::sqlx::Type<DB> for $type
        where
            str: $crate::sqlx::Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <str as $crate::sqlx::Type<DB>>::type_info()
            }

            fn compatible(column: &DB::TypeInfo) -> bool {
                <str as $crate::sqlx::Type<DB>>::compatible(column)
            }
        }

        impl<'q, DB: $crate::sqlx::Database> $crate::sqlx::Encode<'q, DB> for $type
        where
            String: $crate::sqlx::Encode<'q, DB>,
        {
            fn encode_by_ref(
                &self,
                buffer: &mut <DB as $crate::sqlx::Database>::ArgumentBuffer,
            ) -> Result<$crate::sqlx::encode::IsNull, $crate::sqlx::error::BoxDynError> {
                let write: fn(&$type) -> _ = $write;
                <String as $crate::sqlx::Encode<DB>>::encode(write(self).into(), buffer)
            }
        }

        impl<'r, DB: $crate::sqlx::Database> $crate::sqlx::Decode<'r, DB> for $type
        where
            &'r str: $crate::sqlx::Decode<'r, DB>,
        {
            fn decode(
                value: <DB as $crate::sqlx::Database>::ValueRef<'r>,
            ) -> Result<Self, $crate::sqlx::error::BoxDynError> {
                let text = <&str as $crate::sqlx::Decode<DB>>::decode(value)?;
                let read: fn(&str) -> Option<Self> = $read;
                read(text).ok_or_else(|| format!("`{text}` is not a {}", $name).into())
            }
        }
    };
}
