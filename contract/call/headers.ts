/**
 * The answer to an apply carries this header when the device is not connected: the settings are applied when it
 * reconnects.
 */
export const QUEUED_HEADER = 'x-wayside-queued'

/**
 * The sentence that a device has not answered comes with this header when the change is kept and the device may still
 * take it.
 */
export const UNANSWERED_HEADER = 'x-wayside-unanswered'

/**
 * A request carries a UUID here for what shall be created once, however often it is sent: an answer may be lost
 * (`takesIdempotencyKey`).
 */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'

/**
 * A browser that signs in asks with the value `cookie` for a session that is bound to a cookie of its own. Otherwise
 * the token of the answer is the whole session (rules/calls 4).
 */
export const BIND_HEADER = 'X-Wayside-Bind'
