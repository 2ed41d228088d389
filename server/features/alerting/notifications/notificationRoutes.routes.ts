import {
  deleteNotifyRoute,
  listNotifyRoutes,
  previewNotifyRoute,
  setNotifyRoute,
} from '#contract/http/alerting/notificationRoutes.ts'
import { deleteRota, listRotas, setRota, setRotaOverride } from '#contract/http/alerting/onCall.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { NotifyRoutes } from './notificationRoutes.service.ts'
import type { Rotas } from './onCall.service.ts'

export const notifyRouteRoutes = (routes: NotifyRoutes, rotas: Rotas): readonly Route[] => [
  route(listNotifyRoutes, ({ caller }) => routes.list(caller)),
  route(previewNotifyRoute, ({ query, caller }) => routes.preview(query, caller)),
  route(setNotifyRoute, ({ body, caller, change }) => routes.set(body, caller, change)),
  route(deleteNotifyRoute, ({ body, caller, change }) => routes.remove(body.id, caller, change)),
  route(listRotas, ({ caller }) => rotas.list(caller)),
  route(setRota, ({ body, caller, change }) => rotas.set(body, caller, change)),
  route(deleteRota, ({ body, caller, change }) => rotas.remove(body.id, caller, change)),
  route(setRotaOverride, ({ body, caller, change }) => rotas.override(body, caller, change)),
]
