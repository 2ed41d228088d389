export const statusPageMessages = {
  saved: 'The status page is saved.',
  rotated: 'The page has another address. The previous address no longer works.',
  confirmRotate: (name: string, subscribers: number) =>
    `Give the page of "${name}" another address? The one before leads nowhere from then on${
      subscribers > 0
        ? `, and ${subscribers === 1 ? 'the subscription' : `all ${subscribers} subscriptions`} of it ${subscribers === 1 ? 'ends' : 'end'}`
        : ''
    }.`,
  none: 'Each customer can have a page on which people outside see light, incidents and planned work.',
}
