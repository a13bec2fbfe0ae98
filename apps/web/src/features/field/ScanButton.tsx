export const ScanButton = () => null
