import { CompiledQuery } from 'kysely'
import { AUDIT_ENTITIES } from '#contract/call/call.ts'
import type { PersonalData } from '#contract/http/people/personalData.ts'
import type { UserId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

const MOST_ROWS = 20_000

type Part = Exclude<keyof PersonalData, 'made' | 'cutParts'>

/** Rows of these entities carry the name of a person. */
const OF_PERSONS = AUDIT_ENTITIES.filter(({ name }) => name === 'User' || name === 'Session' || name === 'Channel')
const USER = AUDIT_ENTITIES.find(({ name }) => name === 'User')?.id
const isOfPerson = `a.entity_type_id in (${OF_PERSONS.map(({ id }) => id).join(', ')})`
const isAboutThem = `(a.entity_type_id = ${USER} and a.entity_id = $1)`

/** Reads data about the user `$1`, without hashes, keys or tokens, and without names or texts of other people. */
export const PARTS: Readonly<Record<Part, string>> = {
  account: `select u.id, u.username, u.first_name as "firstName", u.last_name as "lastName", u.email, r.name as role,
      c.name as customer, u.time_zone as "timeZone", u.is_lab as "isLab", u.is_disabled as "isDisabled",
      u.is_email_on as "wantsMails", u.password_hash is not null as "hasPassword", u.created_at as created, u.updated_at as updated,
      v.seen_at as "lastHere"
    from app_user u join app_role r on r.id = u.role_id left join customer c on c.id = u.customer_id
    left join user_visit v on v.user_id = u.id where u.id = $1`,
  sessions: `select id, created_at as began, last_used_at as "lastUsed", expires_at as ends, user_agent as browser, address,
      proved_by as "provedBy" from app_session where user_id = $1 order by created_at desc`,
  factors: `select kind, name, created_at as made, last_used_at as "lastUsed" from user_factor where user_id = $1 order by id desc`,
  identity: `select p.name as provider, i.subject from sign_in_identity i join sign_in_provider p on p.id = i.provider_id
    where i.user_id = $1`,
  apiTokens: `select name, scopes, created_at as made, expires_at as ends, last_used_at as "lastUsed", revoked_at as revoked
    from api_token where user_id = $1 or maker_id = $1 order by id desc`,
  deeds: `select a.id, a.inserted_at as at, a.call, a.outcome, a.address, a.action_id as "actionId", a.entity_type_id as "entityTypeId",
      case when ${isOfPerson} and not ${isAboutThem} then null else a.entity_name end as "about"
    from audit_log a where a.user_id = $1 order by a.inserted_at desc, a.id desc`,
  aboutThePerson: `select a.id, a.inserted_at as at, a.call, a.outcome, a.entity_name as name, a.details, a.before, a.after
    from audit_log a where ${isAboutThem} and a.user_id is distinct from $1 order by a.inserted_at desc, a.id desc`,
  commands: `select device_id as "deviceId", name, state, accepted_at as at from device_command
    where user_id = $1 order by accepted_at desc`,
  alerts: `select device_id as "deviceId", alert_id as "alertId", kind, at, text from alert_event
    where user_id = $1 order by at desc`,
  ownedAlerts: `select device_id as "deviceId", id as "alertId" from alert where owner_id = $1 order by id desc`,
  incidents: `select incident_id as "incidentId", kind, at, text from incident_deed where user_id = $1 order by at desc`,
  ownedIncidents: `select id as "incidentId", acknowledged_at as acknowledged from incident where owner_id = $1 order by id desc`,
  maintenance: `select device_id as "deviceId", id, start_at as began, end_at as ended, action_comment as comment, created_at as written
    from maintenance_entry where created_by = $1 order by created_at desc`,
  maintenanceWindows: `select id, reason, created_at as written, from_at as begins, to_at as ends from maintenance_window
    where created_by = $1 order by id desc`,
  rotas: `select r.id, r.name, r.time_zone as "timeZone", place.n as place, r.deleted_at as deleted from rota r
    cross join lateral jsonb_array_elements(r.members) with ordinality place(member, n)
    where (place.member ->> 'userId')::int = $1 order by r.id desc`,
  rotaChanges: `select rota_id as "rotaId", from_at as begins, to_at as ends from rota_override where user_id = $1 order by from_at desc`,
  channel: `select name, settings, is_on as "isOn", created_at as made from channel where user_id = $1`,
  views: `select v.name, v.page, v.content, v.created_at as made, exists (select from default_view d
      where d.view_id = v.id and d.user_id = v.owner_id) as "isDefault" from saved_view v where v.owner_id = $1 order by v.created_at desc`,
  notices: `select incident_id as "incidentId", at, outcome, target, reason from incident_notice where user_id = $1 order by at desc`,
  alertMails: `select device_id as "deviceId", alert_id as "alertId", kind, queued_at as queued, sent_at as sent from notification
    where user_id = $1 order by queued_at desc`,
  alertsTold: `select device_id as "deviceId", alert_id as "alertId", named_at as told from alert_named where user_id = $1
    order by named_at desc`,
  incidentsOnCall: `select incident_id as "incidentId", asked_at as asked from incident_reader where user_id = $1 order by asked_at desc`,
  maintenanceMails: `select window_id as "windowId", tells, queued_at as queued, sent_at as sent from maintenance_mail
    where user_id = $1 order by queued_at desc`,
  signInMails: `select user_agent as browser, address, began_at as began, queued_at as queued, sent_at as sent from sign_in_mail
    where user_id = $1 order by queued_at desc`,
  accountMails: `select kind, username, queued_at as queued, sent_at as sent from password_mail where user_id = $1 order by queued_at desc`,
  lightStatements: `select customer_id as "customerId", number, issued_at as issued from light_statement where issued_by = $1 order by id desc`,
  lightRuleSets: `select content ->> 'name' as name, created_at as made from light_rule_set where created_by = $1 order by id desc`,
  emergencies: `select subject, reason, started_at as began, ended_at as ended, started_by = $1 as "isStarted" from emergency_dark
    where started_by = $1 or ended_by = $1 order by id desc`,
  fieldVisits: `select device_id as "deviceId", id, start_at as begins, end_at as ends, bring, created_at as written from field_visit
    where technician_id = $1 or created_by = $1 or recorded_by = $1 order by start_at desc`,
}

export async function readPersonalData(transaction: Tx, userId: UserId, made: Date): Promise<PersonalData> {
  const parts: Partial<Record<Part, readonly object[]>> = {}
  const cutParts: string[] = []
  for (const [part, statement] of Object.entries(PARTS) as [Part, string][]) {
    const { rows } = await transaction.executeQuery<object>(
      CompiledQuery.raw(`${statement} limit ${MOST_ROWS + 1}`, [userId]),
    )
    if (rows.length > MOST_ROWS) cutParts.push(part)
    parts[part] = rows.slice(0, MOST_ROWS)
  }
  return { made: made.toISOString(), cutParts, ...parts } as unknown as PersonalData
}
