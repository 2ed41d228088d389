/** SQL: a user's first and last name, or the username where both are empty. The table is an alias of `app_user`. */
export const personName = (table: string) =>
  `coalesce(nullif(trim(${table}.first_name || ' ' || ${table}.last_name), ''), ${table}.username)`
