import { WRONG_KINDS, type WrongKind } from '#domain/darkness/wrongKinds.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'

/** SQL of each kind, in a statement that knows `device_now` as `n`; as its index has it (migration 0026). */
export const IS_WRONG: Readonly<Record<WrongKind, string>> = {
  dark: `n.light = 'unplanned'`,
  silent: 'n.is_silent',
  alerted: 'n.active_alerts > 0',
  unanswered: 'n.unknown_command is not null',
  onBattery: 'n.is_on_battery',
}

export const IS_ANYHOW_WRONG = `(${WRONG_KINDS.map((kind) => IS_WRONG[kind]).join(' or ')})`

/** Of others it is known that they are not at work. */
export const WRONG_OF_STATUS = DEVICE_STATUS.active
