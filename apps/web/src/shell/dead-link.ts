/**
 * Whether this page was opened by a mailed link that was used before or has expired. Read before the client of
 * `auth/v1` takes the address apart.
 */
export const openedByDeadLink: boolean = /[?#&]error_code=otp_expired\b/.test(location.search + location.hash)
