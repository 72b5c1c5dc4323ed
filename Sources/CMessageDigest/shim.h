#pragma once

// libmd: the message digests of the BSDs.
#include <sha2.h>
