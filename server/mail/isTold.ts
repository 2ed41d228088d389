import { FUNCTION } from '#domain/permissions/functions.ts'
import { FUNCTIONS_OF } from '#domain/permissions/permissions.ts'

/**
 * Whether the user `u` is told of the alert `a` of the device `d` by mail: the function, the own switch, an address, one
 * of the functions without which the link opens nothing, and what the user may see: neither alerts of another customer's time nor what becomes of a device that left (decisions:
 * Who may do what).
 */
export const IS_TOLD = `u.is_email_on and u.email <> '' and not u.is_disabled and u.deleted_at is null
  and d.deleted_at is null
  and exists (select from app_role r join app_role_function f on f.role_id = r.id
    where r.id = u.role_id and r.deleted_at is null and f.function_id = ${FUNCTION.receiveEmailNotifications})
  and exists (select from app_role_function f where f.role_id = u.role_id
    and f.function_id in (${FUNCTIONS_OF.seeDevicesOrAnalytics.join(', ')}))
  and (u.customer_id is null
    or (u.customer_id = d.customer_id and u.customer_id = a.customer_id and exists (select from customer c where c.id = u.customer_id and c.is_active)))`
