import { sql } from 'kysely'
import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import {
  applyAmbientSensorSettings,
  applyBatteryTestSettings,
  applyDataBudgetSettings,
  applyDayPlanSettings,
  applyDisplaySettings,
  applyTurnDisplayOffSettings,
  type SettingChange,
} from '#contract/http/devices/setup.ts'
import type { SettingsSection } from '#contract/mqtt/settings.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { isOfScope, shownAs } from '#server/http/call/history.store.ts'
import { keyTime } from '#server/http/reading/keyTime.store.ts'
import type { PageRequest } from '#server/http/reading/pages.ts'
import type { Arguments } from './knownDevice.ts'

/** The last row of a page. It has microseconds, so that no change falls between two pages. */
export interface ChangeKey {
  readonly at: string
  readonly id: number
}

export interface ChangedSection {
  readonly deviceId: DeviceId
  readonly section: SettingsSection
  readonly number: number
}

const APPLY_CALLS = {
  display: applyDisplaySettings,
  ambientSensor: applyAmbientSensorSettings,
  turnOff: applyTurnDisplayOffSettings,
  dayPlan: applyDayPlanSettings,
  batteryTest: applyBatteryTestSettings,
  dataBudget: applyDataBudgetSettings,
} as const

/**
 * Reads the changes of a section within the scope, newest first. They stand in the audit log, which alone keeps what was
 * set, by whom, and what it replaced. The caller has checked that it may see the device.
 */
export async function settingChangesPage(
  db: Db,
  scope: Scope,
  { deviceId, section, number }: ChangedSection,
  { after, size }: PageRequest<ChangeKey>,
): Promise<readonly { readonly change: SettingChange; readonly key: ChangeKey }[]> {
  const rows = await db
    .selectFrom('audit_log as a')
    .leftJoin('app_user as author', 'author.id', 'a.user_id')
    .select(['a.id', 'a.inserted_at', 'a.before', 'a.after', keyTime('a.inserted_at').as('key_time')])
    .select(shownAs(scope, 'author', sql`a.username`).as('by'))
    .where('a.entity_id', '=', deviceId)
    .where('a.entity_type_id', '=', AUDIT_ENTITY_IDS.Device)
    .where('a.call', '=', APPLY_CALLS[section].path)
    .where('a.outcome', '=', 'done')
    .where(sql<boolean>`a.after ->> 'number' = ${String(number)}`)
    .where(isOfScope(scope, 'a.customer_id'))
    .$if(after !== undefined, (changes) =>
      changes.where(sql<boolean>`(a.inserted_at, a.id) < (${after?.at}::timestamptz, ${after?.id}::bigint)`),
    )
    .orderBy('a.inserted_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(size)
    .execute()
  return rows.map(({ id, inserted_at, by, before, after, key_time }) => ({
    change: { id, at: inserted_at.toISOString(), by, before: argumentsOf(before), after: argumentsOf(after) },
    key: { at: key_time, id },
  }))
}

function argumentsOf(detail: unknown): Arguments {
  const { section: _section, number: _number, displayNumber: _display, ...values } = (detail ?? {}) as Arguments
  return values
}
