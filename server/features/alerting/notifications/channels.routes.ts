import {
  deleteChannel,
  listChannels,
  listDeliveries,
  replayDelivery,
  rotateSigningKey,
  setChannel,
  setInbound,
  testChannel,
} from '#contract/http/alerting/channels.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { Channels } from './channels.service.ts'

export const channelRoutes = (channels: Channels): readonly Route[] => [
  route(listChannels, ({ caller }) => channels.list(caller)),
  route(setChannel, ({ body, caller, change }) => channels.set(body, caller, change)),
  route(deleteChannel, ({ body, caller, change }) => channels.remove(body.id, caller, change)),
  route(testChannel, ({ body, caller, change }) => channels.test(body.id, caller, change)),
  route(rotateSigningKey, ({ body, caller, change }) => channels.rotate(body.id, caller, change)),
  route(setInbound, ({ body, caller, change }) => channels.setInbound(body, caller, change)),
  route(listDeliveries, ({ query, caller }) => channels.deliveries(query.id, caller)),
  route(replayDelivery, ({ body, caller, change }) => channels.replay(body, caller, change)),
]
