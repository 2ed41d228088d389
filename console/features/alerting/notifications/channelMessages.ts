export const channelMessages = {
  saved: 'The channel is saved.',
  deleted: 'The channel is deleted.',
  confirmDelete: (name: string) =>
    `Delete "${name}"? Its secret is removed, and messages waiting for it are not sent. Routes that use it report this on each incident.`,
  confirmRotate: (name: string) =>
    `Give "${name}" a new signing key? For one day it also signs with the old key, so that the receiver can switch.`,
  inbound: (kind: string, isTheirs: boolean) =>
    `Acknowledging or resolving an incident there acknowledges it here, as this channel. ${
      isTheirs
        ? `Make a webhook in ${kind} that sends to the address below, and type its secret here.`
        : 'Send a webhook signed according to Standard Webhooks; the guide has an example.'
    } Only incidents that this channel was notified of can be acknowledged.`,
  awaitsRecipient:
    'The address got an e-mail with a link, once a day at most. Notifications are sent once it is confirmed.',
  replayed: 'The message is sent again.',
  keyOnce: 'The receiver verifies messages with this key. It is shown only once.',
  none: 'A channel sends incidents to a chat, a pager, a ticket system or a webhook. Routes decide which incidents.',
}
