type DetachedWindow = { readonly happyDOM: { setURL: (url: string) => void } }

/** Addresses of calls are relative to the page, so the page must come from the server of the test. */
export const standAt = (url: string) => (window as unknown as DetachedWindow).happyDOM.setURL(url)
