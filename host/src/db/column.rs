//! Types of the domain as the types of columns.

/// Makes a type with `as_str` and [`FromStr`](std::str::FromStr) the type of text columns. A text that it rejects is an
/// error, so nothing above the database parses a column.
macro_rules! text_column {
    ($type:ty, $name:literal) => {
        impl<DB: sqlx::Database> sqlx::Type<DB> for $type
        where
            str: sqlx::Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <str as sqlx::Type<DB>>::type_info()
            }

            fn compatible(column: &DB::TypeInfo) -> bool {
                <str as sqlx::Type<DB>>::compatible(column)
            }
        }

        impl<'q, DB: sqlx::Database> sqlx::Encode<'q, DB> for $type
        where
            String: sqlx::Encode<'q, DB>,
        {
            fn encode_by_ref(
                &self,
                buffer: &mut <DB as sqlx::Database>::ArgumentBuffer,
            ) -> Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
                <String as sqlx::Encode<DB>>::encode(self.as_str().to_owned(), buffer)
            }
        }

        impl<'r, DB: sqlx::Database> sqlx::Decode<'r, DB> for $type
        where
            &'r str: sqlx::Decode<'r, DB>,
        {
            fn decode(value: <DB as sqlx::Database>::ValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
                let text = <&str as sqlx::Decode<DB>>::decode(value)?;
                text.parse().map_err(|_| format!("`{text}` is not a {}", $name).into())
            }
        }
    };
}

pub(crate) use text_column;
