#include "CPayloadTap.h"
