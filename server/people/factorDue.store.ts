import { type RawBuilder, sql } from 'kysely'

/** SQL over `app_user` and `app_role`: until when somebody may sign in without a factor; null when none is due. */
export const factorDueAt: RawBuilder<Date | null> = sql`case when app_role.factor_grace_days is not null
  then greatest(app_role.factor_required_at, app_user.role_since)
    + make_interval(days => app_role.factor_grace_days) end`
