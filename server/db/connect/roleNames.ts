/** This role reads and writes rows; it owns nothing, and cannot change or delete audit rows. */
export const APPLICATION_ROLE = 'wayside_app'
