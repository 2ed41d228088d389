import { createApiToken, listApiTokens, revokeApiToken } from '#contract/http/people/apiTokens.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { ApiTokens } from './apiTokens.service.ts'

export const apiTokenRoutes = (tokens: ApiTokens): readonly Route[] => [
  route(listApiTokens, ({ query, caller }) => tokens.list(query.all === true, caller)),
  route(createApiToken, ({ body, caller, change }) => tokens.create(body, caller, change)),
  route(revokeApiToken, async ({ body, caller, change }) => {
    await tokens.revoke(body.id, caller, change)
    return {}
  }),
]
