/** Reads and writes rows; owns nothing, and cannot change or delete audit rows. */
export const APPLICATION_ROLE = 'wayside_app'
