export const channelMessages = {
  saved: 'The channel is saved.',
  deleted: 'The channel is deleted.',
  confirmDelete: (name: string) =>
    `Delete "${name}"? Its secret is forgotten, and what waits to be told by it is told by nobody. Routes that name it say so on each incident.`,
  confirmRotate: (name: string) =>
    `Give "${name}" a new key to sign by? For a day it signs by the old one as well, so that the receiver can follow.`,
  inbound: (kind: string, isTheirs: boolean) =>
    `Who acknowledges or resolves an incident on the other side acknowledges it here, as this channel. ${
      isTheirs
        ? `Make a webhook in ${kind} that sends to the address below, and type its secret here.`
        : 'Send a webhook that is signed as Standard Webhooks says; the guide has an example.'
    } Only what this channel told of can be acknowledged.`,
  awaitsRecipient:
    'The address got an e-mail with a link, once a day at most. It is sent notifications once somebody there has confirmed.',
  replayed: 'It is told anew.',
  keyOnce: 'The receiver checks by this key what comes from here. It is shown this once.',
  none: 'A channel is a way to tell somebody outside of incidents: a chat, a pager, a ticket system, a webhook. Which incidents it tells is up to routes.',
}
