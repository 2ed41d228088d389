/** The settings of this answer wait for a device that is not connected, and are applied when it reconnects. */
export const QUEUED_HEADER = 'x-wayside-queued'

/** The device has not answered, but the change is kept and the device may still take it. */
export const UNANSWERED_HEADER = 'x-wayside-unanswered'

/** A UUID makes a request create its object once, however often it is sent, because an answer may be lost. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'

/**
 * A browser that signs in asks with the value `cookie` for a session that is bound to a cookie of its own. Otherwise
 * the token of the answer is the whole session (rules/calls 4).
 */
export const BIND_HEADER = 'X-Wayside-Bind'
