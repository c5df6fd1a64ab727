/** The functions that are called with each piece of news of one kind. */
export interface Listeners<News> {
  /** Calls a listener from now on. The result stops this. */
  listen: (listener: (news: News) => void) => () => void
  tell: (news: News) => void
}

export function createListeners<News = void>(): Listeners<News> {
  const listeners = new Set<(news: News) => void>()
  return {
    listen: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    tell: (news) => {
      for (const listener of listeners) listener(news)
    },
  }
}
