import { notifyManager, QueryClient, type QueryKey } from '@tanstack/react-query'

// What a click changes is shown before anything else happens: a box that is ticked never blinks back.
notifyManager.setScheduler(queueMicrotask)

/** Apart from the calls, so that the public pages do not carry the contract. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The client retries by itself what may pass.
      retry: false,
      // Asked even without a connection: a page that waits for one in silence looks broken.
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 15_000,
      refetchOnWindowFocus: true,
    },
  },
})

/** What the page has come to know without asking; an answer under way is older, and is let go. */
export function answerIs<T>(queryKey: QueryKey, update: (before: T | undefined) => T | undefined): void {
  void queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData<T>(queryKey, update)
}

let owner: string | null = null

/** What one person has read is never shown to the next who signs in on the same page. */
export function keepAnswersFor(userId: string): void {
  if (owner !== null && owner !== userId) queryClient.clear()
  owner = userId
}
