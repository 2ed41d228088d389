import { FUNCTION } from '#domain/permissions/functions.ts'
import { FUNCTIONS_OF } from '#domain/permissions/permissions.ts'

/**
 * SQL condition: the user `u` receives alert e-mails at all (rules/alerts 13). It checks the function, their own switch,
 * an address, a function without which the link opens nothing, and their customer.
 */
export const RECEIVES_ALERT_MAILS = `u.is_email_on and u.email <> '' and not u.is_disabled and u.deleted_at is null
  and exists (select from app_role r join app_role_function f on f.role_id = r.id
    where r.id = u.role_id and r.deleted_at is null and f.function_id = ${FUNCTION.receiveEmailNotifications})
  and exists (select from app_role_function f where f.role_id = u.role_id
    and f.function_id in (${FUNCTIONS_OF.seeDevicesOrAnalytics.join(', ')}))
  and (u.customer_id is null or exists (select from customer c where c.id = u.customer_id and c.is_active))`

/** SQL condition: the user `u` is mailed about the alert `a` of the device `d`, which they may see. */
const IS_MAILED = `${RECEIVES_ALERT_MAILS} and d.deleted_at is null
  and (u.customer_id is null or (u.customer_id = d.customer_id and u.customer_id = a.customer_id))`

/** SQL condition: a user `u` may acknowledge incidents that they see, as the links of messages do. */
export const MAY_ACKNOWLEDGE_INCIDENTS = `not u.is_disabled and u.deleted_at is null
  and exists (select from app_role r join app_role_function f on f.role_id = r.id
    where r.id = u.role_id and r.deleted_at is null and f.function_id in (${FUNCTIONS_OF.deviceManager.join(', ')}))
  and (u.customer_id is null or exists (select from customer c where c.id = u.customer_id and c.is_active))`

/** SQL condition: the user `u` is on call for an incident and may see its alert `a` of the device `d`. */
const IS_ON_CALL = `u.email <> '' and d.deleted_at is null and ${MAY_ACKNOWLEDGE_INCIDENTS}
  and (u.customer_id is null or (u.customer_id = d.customer_id and u.customer_id = a.customer_id))`

/** SQL condition: a route notifies the user `u` by mail of the alert `a` of the device `d` in an incident. */
export const IS_ASKED = (incidentId: string) => `exists (
  select from incident_reader asked where asked.incident_id = ${incidentId}
    and asked.share_id in (0, a.customer_id)
    and case asked.user_id when 0 then ${IS_MAILED} when u.id then ${IS_ON_CALL} else false end)`
