import type { ErrorCode } from './errorCodes.ts'

/** A call waits this long for a device unless the operator has set another time. */
export const DEVICE_ANSWER_SECONDS = 10
export const notAnsweredWithin = (seconds: number) => `The device has not answered within ${seconds} seconds.`
export function commandNotAnsweredWithin(seconds: number): string {
  return `${notAnsweredWithin(seconds)} It is unknown whether it carried out the command.`
}

/** Every refusal has its HTTP status and the sentence that people read when the caller has none better. */
export const ERRORS = {
  invalid_request: { status: 400, message: 'The request is not valid.' },
  parameter_conflict: { status: 400, message: 'A parameter differs between address and body.' },
  sign_in_required: { status: 401, message: 'Please sign in.' },
  wrong_credentials: { status: 401, message: 'Login Failed: Your username or password is incorrect' },
  second_factor_required: { status: 401, message: 'Please prove who you are by your second factor.' },
  factor_enrolment_required: { status: 401, message: 'Your role needs a second factor. Please add one to sign in.' },
  factor_needed: { status: 409, message: 'Your role needs a second factor. Add another one before you remove this.' },
  wrong_second_factor: { status: 400, message: 'This is not right, or it was used already.' },
  challenge_not_valid: { status: 400, message: 'This took too long, or it was used already. Please begin again.' },
  passkeys_not_possible: { status: 409, message: 'Passkeys need HTTPS and a name as the address of the console.' },
  too_many_factors: { status: 409, message: 'You have ten second factors. Remove one that is not needed any more.' },
  no_second_factor: { status: 409, message: 'This user has no second factor.' },
  forbidden: { status: 403, message: 'You do not have permission to do this.' },
  bound_sign_in_only: {
    status: 403,
    message:
      'Your role takes only sessions that are bound to their browser. Sign in by the console, with cookies allowed.',
  },
  step_up_required: { status: 403, message: 'Please confirm first that it is you.' },
  provider_only: { status: 403, message: 'You sign in by the identity provider of your organisation.' },
  provider_failed: {
    status: 502,
    message: 'The identity provider could not be asked, or gave no answer that can be used.',
  },
  provider_refused: { status: 403, message: 'The identity provider knows you, but you may not sign in here.' },
  provider_not_usable: { status: 400, message: 'This identity provider cannot be used.' },
  provider_domain_taken: { status: 409, message: 'Another identity provider has this domain already.' },
  not_a_navigation: { status: 403, message: 'This call cannot be made by following a link.' },
  not_found: { status: 404, message: 'It does not exist, or you may not see it.' },
  unknown_call: { status: 404, message: 'There is no such call.' },
  method_not_allowed: { status: 405, message: 'This call does not answer this method.' },
  step_too_fine: { status: 400, message: 'Beyond 3 days only the step of one hour is possible.' },
  too_many_points: {
    status: 400,
    message: 'That is more than one answer can hold; choose a shorter period or fewer series.',
  },
  page_too_deep: { status: 400, message: 'Rows beyond 10,000 are reached with "next", not with "rowNum".' },
  invalid_components: { status: 400, message: 'The components are not valid.' },
  invalid_driver: { status: 400, message: 'A part cannot be driven like this.' },
  invalid_feeds: { status: 400, message: 'A device cannot be wired like this.' },
  device_offline: { status: 409, message: 'The device is offline. Nothing was sent.' },
  device_deactivated: { status: 409, message: 'The device is deactivated and takes no commands.' },
  settings_changed: { status: 409, message: 'Someone else has changed this meanwhile. Your change was not sent.' },
  client_too_old: { status: 409, message: 'The client of this device is too old for this. Nothing was sent.' },
  position_unknown: { status: 409, message: 'This device has no position. Nothing was sent.' },
  device_refused: { status: 409, message: 'The device refused the command.' },
  device_silent: { status: 504, message: commandNotAnsweredWithin(DEVICE_ANSWER_SECONDS) },
  command_too_late: {
    status: 503,
    message: 'This took too long, so nothing was sent to the device. Give the command again if it is still wanted.',
  },
  command_outcome_unknown: { status: 504, message: 'The command was sent. Its outcome is unknown: see Commands.' },
  too_many_commands: { status: 429, message: 'Too many commands. Please wait a moment.' },
  wrong_old_password: { status: 400, message: 'The old password is not right.' },
  weak_password: { status: 400, message: 'This password cannot be used.' },
  link_not_valid: { status: 400, message: 'This link was used already, or it is no longer valid.' },
  user_cannot_sign_in: { status: 409, message: 'This user may not sign in, so no link was sent.' },
  username_taken: { status: 409, message: 'There is a user with this username already.' },
  role_name_taken: { status: 409, message: 'There is a role with this name already.' },
  role_in_use: { status: 409, message: 'The role is in use and cannot be removed. Give its users another role first.' },
  own_admin_role: {
    status: 409,
    message: 'This role makes you an administrator. You cannot remove it from under yourself.',
  },
  last_admin: {
    status: 409,
    message: 'Nobody could administer the installation any more: this is its last active administrator.',
  },
  too_many_views: { status: 409, message: 'You have 100 views. Delete one that is not needed any more.' },
  too_many_api_tokens: {
    status: 409,
    message: 'There are 20 API tokens already. Revoke one that is not used any more.',
  },
  no_machine: { status: 409, message: 'This user has a password, so nobody else makes tokens for them.' },
  view_name_taken: { status: 409, message: 'You have a view with this name already.' },
  customer_name_taken: { status: 409, message: 'There is a customer with this name already.' },
  customer_deactivated: { status: 409, message: 'The customer is deactivated. Nothing new can be added to it.' },
  created_just_now: {
    status: 409,
    message: 'You created the same a second ago. To create another one like it, wait a second.',
  },
  claim_not_valid: {
    status: 400,
    message: 'This code is not valid. A device shows a new one every ten minutes: type the one it shows now.',
  },
  claim_taken: { status: 409, message: 'This device was claimed already.' },
  import_refused: { status: 400, message: 'The file has lines that cannot be taken. Nothing was changed.' },
  claim_key_not_valid: { status: 403, message: 'This claim key is not valid.' },
  alert_already_closed: { status: 409, message: 'The alert has already been closed.' },
  incident_not_whole: {
    status: 403,
    message:
      'This incident reaches beyond the devices of your customer. Only the operator of the system can change it.',
  },
  incident_taken: { status: 409, message: 'It has already been acknowledged.' },
  maintenance_over: { status: 409, message: 'This maintenance has already ended.' },
  maintenance_not_begun: { status: 409, message: 'This maintenance does not last now. Delete it instead.' },
  maintenance_begun: { status: 409, message: 'This maintenance has begun. End it instead.' },
  release_refused: { status: 400, message: 'This file is no release that can be used.' },
  release_in_use: { status: 409, message: 'Devices are being updated to this release. Stop that update first.' },
  nothing_to_update: { status: 409, message: 'None of the chosen devices can be updated to this release.' },
  downgrade_not_meant: {
    status: 409,
    message: 'Some of the chosen devices run a newer version and would go back. Confirm that this is meant.',
  },
  update_not_running: { status: 409, message: 'The update is not running.' },
  update_not_waiting: { status: 409, message: 'The update is neither paused nor halted.' },
  update_ended: { status: 409, message: 'The update has ended already.' },
  update_stopped: { status: 409, message: 'The update was stopped. Make a new one.' },
  device_update_over: { status: 409, message: 'The update of this device has already ended.' },
  device_restarting: {
    status: 409,
    message: 'The device is starting the new version. Wait until that is done or has failed.',
  },
  release_removed: { status: 409, message: 'The release of this update was removed.' },
  nothing_failed: { status: 409, message: 'No device of this update has failed.' },
  update_open_elsewhere: {
    status: 409,
    message: 'The devices that failed are being updated by another update.',
  },
  request_too_large: { status: 413, message: 'The request is too large.' },
  unsupported_media_type: { status: 415, message: 'The body must be JSON.' },
  too_many_requests: { status: 429, message: 'Too many requests. Please wait a moment.' },
  internal_error: { status: 500, message: 'Something went wrong on the server.' },
  outcome_unknown: {
    status: 504,
    message: 'It is unknown whether this was carried out. Look at what is there now before you do it once more.',
  },
  answer_lost: {
    status: 504,
    message: 'This was carried out, but its answer was lost. Look at what is there now.',
  },
  secret_key_missing: {
    status: 503,
    message: 'The key of kept secrets is missing on this server. Whoever operates it can put it back.',
  },
  not_ready: { status: 503, message: 'The server is not ready. Please try again in a moment.' },
} as const satisfies Readonly<Record<ErrorCode, { readonly status: number; readonly message: string }>>

export type { ErrorCode }

/** The body of every failed call; it never holds a stack or SQL. */
export interface ErrorBody {
  readonly message: string
  readonly code: ErrorCode
  /** It says how a sign-in continues after `second_factor_required` and `factor_enrolment_required`. */
  readonly secondFactor?: SecondFactorRequest
}

/** The sign-in continues with this after the right password. */
export interface SecondFactorRequest {
  /** It is valid once and for minutes, for `App/LoginSecondFactor`, or `App/LoginNewFactor` to add an app. */
  readonly challenge: string
  /** The key of the app to add after `factor_enrolment_required`, to be typed or shown as a QR code. */
  readonly newApp?: { readonly secret: string; readonly uri: string }
  readonly passkeys?: {
    readonly rpId: string
    readonly credentials: readonly { readonly id: string; readonly transports: readonly string[] }[]
  }
}
