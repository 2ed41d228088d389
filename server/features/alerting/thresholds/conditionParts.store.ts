import { sql } from 'kysely'
import { partsOf } from '#domain/alerts/conditionParts.ts'
import type { FieldId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

interface PartFields {
  readonly fieldId: FieldId
  readonly secondFieldId: FieldId | null
}

interface PartedFields extends PartFields {
  readonly isOff: boolean
}

interface StoredPart {
  readonly id: number
  readonly number: number
}

/** Locks the parts of a condition, so that no batch evaluates one meanwhile. */
export async function lockParts(transaction: Tx, wholeId: number): Promise<readonly StoredPart[]> {
  const { rows } = await sql<StoredPart>`select id, part_number as number from alert_condition
    where part_of_id = ${wholeId} and deleted_at is null order by id for update`.execute(transaction)
  return rows
}

/** Brings the parts of a condition up to date, and removes those that it does not need any more. */
export async function writeParts(transaction: Tx, wholeId: number, fields: PartedFields): Promise<void> {
  const stored = await lockParts(transaction, wholeId)
  const wanted = fields.isOff ? [] : partsOf(fields)
  const gone = stored.filter(({ number }) => !wanted.some((part) => part.number === number)).map(({ id }) => id)
  if (gone.length > 0)
    await sql`update alert_condition set deleted_at = now() where id = any(${gone}::int[])`.execute(transaction)
  for (const { number, fieldId, secondFieldId } of wanted) {
    const known = stored.find((part) => part.number === number)
    if (known === undefined) await insertPart(transaction, wholeId, number, { fieldId, secondFieldId })
    else await updatePart(transaction, known.id, wholeId, { fieldId, secondFieldId })
  }
}

/** A part repeats its whole for one component. */
async function insertPart(transaction: Tx, wholeId: number, number: number, { fieldId, secondFieldId }: PartFields) {
  await sql`
    insert into alert_condition (part_of_id, part_number, field_id, second_field_id, device_id, model_id, customer_id, tag,
      tag_key, kind, operator_code, value_dec, value_text, period_id, action_type_id, severity_id, clear_dec, minutes,
      joined_by, second_operator_code, second_value_dec, second_value_text, title, effective_at, created_by)
    select id, ${number}, ${fieldId}, ${secondFieldId}::int, device_id, model_id, customer_id, tag, tag_key, kind,
      operator_code, value_dec, value_text, period_id, action_type_id, severity_id, clear_dec, minutes, joined_by,
      second_operator_code, second_value_dec, second_value_text, title, effective_at, created_by
    from alert_condition where id = ${wholeId}`.execute(transaction)
}

async function updatePart(transaction: Tx, id: number, wholeId: number, { fieldId, secondFieldId }: PartFields) {
  await sql`
    update alert_condition p set field_id = ${fieldId}, second_field_id = ${secondFieldId}::int, kind = w.kind,
      operator_code = w.operator_code, value_dec = w.value_dec, value_text = w.value_text, period_id = w.period_id,
      action_type_id = w.action_type_id, severity_id = w.severity_id, clear_dec = w.clear_dec, minutes = w.minutes,
      joined_by = w.joined_by, second_operator_code = w.second_operator_code, second_value_dec = w.second_value_dec,
      second_value_text = w.second_value_text, title = w.title, revision = p.revision + 1, effective_at = w.effective_at
    from alert_condition w where p.id = ${id} and w.id = ${wholeId}`.execute(transaction)
}
