import { QueryClient } from '@tanstack/react-query'

/** Apart from the calls, so that the public pages do not carry the contract. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The client retries by itself what may pass.
      retry: false,
      staleTime: 15_000,
      refetchOnWindowFocus: true,
    },
  },
})
